/**
 * Every kind is found by the application's reference and by the provider's own, over HTTP and in the provider's words.
 */

import { operationKinds } from '@financial-agents/contract/kinds'
import { amara } from '@financial-agents/provider-http/testing/test-users'
import { readySubmission } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type StartedProvider, startProvider } from './started.test-helper.ts'

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterAll(() => fake.close())

async function search(path: string, credentials: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${fake.baseUrl}/provider/v1/${path}`, {
    headers: { authorization: `Bearer ${credentials}` },
  })
  // The provider's clock differs from answer to answer.
  return { status: response.status, text: (await response.text()).replace(/,"as_of":"[^"]*"/, '') }
}

const collections = { ben: 'beneficiaries', mnd: 'mandates', trf: 'transfers', crd: 'cards' } as const
const actionCollections = { mac: 'mandates', cac: 'cards', rvk: 'connection' } as const

it.each(operationKinds)('%s', async (kind) => {
  const credentials = `${amara}~${kind}`
  const submission = await readySubmission(fake.provider, kind, credentials)
  const outcome = await fake.provider.submit(submission)
  const reference = outcome.type === 'succeeded' ? outcome.upstreamReference : ''
  const prefix = reference.slice(0, 3)
  const [collection, ours, theirs] =
    prefix in collections
      ? [collections[prefix as keyof typeof collections], 'client_reference', 'reference']
      : [actionCollections[prefix as keyof typeof actionCollections], 'action_client_reference', 'action_reference']
  const byOurs = await search(`${collection}?${ours}=${submission.reference}`, credentials)
  expect(byOurs.text).toContain(
    `"reference":"${reference}","client_reference":"${submission.reference}","status":"succeeded"`,
  )
  expect(await search(`${collection}?${theirs}=${reference}`, credentials)).toEqual(byOurs)
  const both = `${collection}?${theirs}=${reference}&${ours}=${submission.reference}`
  expect(await search(both, credentials)).toEqual(byOurs)
  const stranger = await search(both, 'test-user-daniel-reyes-tucson')
  expect(stranger.text).not.toContain(submission.reference)
})

it.each(['beneficiaries', 'mandates', 'transfers', 'cards', 'connection'])(
  '%s is searched for something',
  async (path) => {
    for (const query of ['', '?client_reference=', '?other=1'])
      expect(await search(`${path}${query}`, amara)).toEqual({
        status: 400,
        text: '{"error":{"code":"invalid_request"}}',
      })
    expect(await search(`${path}?client_reference=x`, 'nobody')).toMatchObject({ status: 401 })
  },
)

it('a read by a script is refused, late or lost, and says nothing of what it would have found', async () => {
  const submission = await readySubmission(fake.provider, 'card_create', amara)
  await fake.provider.submit(submission)
  const asked = { ...submission, upstreamReference: null, timeoutMs: 60_000 }
  for (const [script, reason, timeoutMs] of [
    ['refuse', 'provider_refused', 60_000],
    ['slow', 'provider_timeout', 200],
    ['drop_before_accept', 'provider_connection_lost', 60_000],
  ] as const) {
    const match = { kind: 'search', client_reference: submission.reference }
    await fake.control('POST', '/control/faults', { script, match, times: 1, options: { delay_ms: 60_000 } })
    expect(await fake.provider.lookup({ ...asked, timeoutMs })).toEqual({ type: 'unavailable', reason })
  }
  expect(await fake.provider.lookup(asked)).toMatchObject({ type: 'found', state: 'succeeded' })
})
