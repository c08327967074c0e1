/** Decisions §4: the client's answer if a service refuses, is absent, or does not answer. */

import { Problem } from '@financial-agents/contract/problem'
import { problemCatalogue, problemCodes } from '@financial-agents/contract/problem-catalogue'
import { routeString } from '@financial-agents/contract/route'
import { routes } from '@financial-agents/contract/routes'
import { scopeNames } from '@financial-agents/contract/scopes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allAreas } from './areas.test-helper.ts'
import { grant, pause } from './authz.test-helper.ts'
import { expectProblem, startWorld, type World } from './gateway.test-helper.ts'
import type { Gateway } from './start.ts'

const create = '/v1/beneficiaries'
const list = '/v1/operations'
const write = { key: 'key-0123456789abcdef', body: '{}' }
let world: World
/** A gateway with a short deadline, for requests that nobody answers. */
let impatient: Gateway

beforeAll(async () => {
  world = await startWorld()
  impatient = await world.startAnother({ REQUEST_DEADLINE_MS: '1000' }, { graceMs: 0 })
  // Waits until this gateway has read the keys and the grant. Its deadline is then for the service alone.
  while ((await world.request('GET', list, { gateway: impatient })).status !== 200) await pause(10)
})
afterAll(() => world.stop())

// The gateway itself decides the methods of a path.
test.each(problemCodes.filter((code) => code !== 'method_not_allowed'))(
  'a service’s %s arrives as it was said',
  async (code) => {
    const fields = [{ path: 'a.b', message: 'm' }]
    world.areas.set('createBeneficiary', () => ({
      ok: false,
      problem: { ...new Problem(code, { detail: 'Said.', fields, retryAfterS: 7 }).data, refresh_onboarding: true },
    }))
    const response = await world.request('POST', create, write)
    expect(expectProblem(response, code, create, true)).toMatchObject({ detail: 'Said.', fields })
    if (problemCatalogue[code].status === 429) expect(response.headers.get('retry-after')).toBe('7')
    expect(response.headers.get('dpop-nonce')).toMatch(/^[\w-]{43}$/)
    expect(response.headers.get('idempotent-replayed')).toBeNull()
    world.areas.delete('createBeneficiary')
  },
)

test('a write without an answer in time may have been accepted, and the problem says how to find out', async () => {
  world.areas.set('createBeneficiary', () => new Promise(() => {}))
  const problem = expectProblem(
    await world.request('POST', create, { ...write, gateway: impatient }),
    'acceptance_unknown',
    create,
    false,
  )
  expect(problem.detail).toContain('GET /v1/operations?idempotency_key=')
  expect(problem).toMatchObject({ retryable: false, submission_uncertain: true })
  world.areas.delete('createBeneficiary')
})

/** Copied by hand: the advice for a client whose request got no answer. */
const unanswered: [route: string, reported: 'repeat' | RegExp][] = [
  ['POST /v1/quotes', 'repeat'],
  ['POST /v1/purchases/quotes', 'repeat'],
  ['POST /v1/kyc/sessions', 'repeat'],
  ['POST /v1/confirmation-intents', 'repeat'],
  ['POST /v1/cards/{card_id}/reveals', 'repeat'],
  ['POST /v1/operations/{operation_id}/approval/poll', 'repeat'],
  ['DELETE /v1/webhook-subscriptions/{id}', 'repeat'],
  ['POST /v1/webhook-subscriptions/{id}/rotate-secret', 'repeat'],
  ['POST /v1/webhook-subscriptions/{id}/deliveries/{delivery_id}/resend', 'repeat'],
  ['POST /v1/mandates/{mandate_id}/transfers/check', 'repeat'],
  ['POST /v1/spending-account/withdrawals/check', 'repeat'],
  ['POST /v1/webhook-subscriptions', /Read GET \/v1\/webhook-subscriptions: a second subscription/],
  ['DELETE /v1/service-connections/current', /the identical request again, with the same confirmation/],
  ['POST /v1/beneficiaries', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/mandates', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/mandates/{mandate_id}/suspend', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/mandates/{mandate_id}/revoke', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/mandates/{mandate_id}/transfers', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/cards', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/cards/{card_id}/freeze', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/cards/{card_id}/unfreeze', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/cards/{card_id}/close', /GET \/v1\/operations\?idempotency_key=/],
  ['POST /v1/spending-account/withdrawals', /GET \/v1\/operations\?idempotency_key=/],
]

test('every unanswered request that changes something says if it may be repeated', async () => {
  const everywhere = await startWorld({}, { areas: allAreas })
  const gateway = await everywhere.startAnother({ REQUEST_DEADLINE_MS: '5000' }, { graceMs: 0 })
  try {
    everywhere.authz.grants.set('grant-all', { ...grant, grant_id: 'grant-all', scopes: [...scopeNames] })
    const claims = { grant_id: 'grant-all', scope: scopeNames.join(' ') }
    const token = await everywhere.authz.token(everywhere.maker, claims)
    const changing = Object.entries(routes).filter(([, row]) => row.method !== 'GET' && row.audience === 'customer')
    expect(changing.map(([, row]) => routeString(row)).toSorted()).toEqual(unanswered.map(([name]) => name).toSorted())
    for (const [name] of changing) everywhere.areas.set(name, () => new Promise(() => {}))
    while ((await everywhere.request('GET', list, { gateway, token })).status !== 200) await pause(10)
    await Promise.all(
      changing.map(async ([, row]) => {
        const path = row.path.replaceAll(/\{\w+\}/g, '01990000-0000-7000-8000-000000000000')
        const [, reported] = unanswered.find(([route]) => route === routeString(row)) ?? []
        const response = await everywhere.request(row.method, path, {
          gateway,
          token,
          key: 'key-0123456789abcdef',
          headers: [['Confirmation-Intent-ID', 'intent-0123456789abcdef']],
          ...(row.body === null ? {} : { body: '{}' }),
        })
        const code = reported === 'repeat' ? 'service_unavailable' : 'acceptance_unknown'
        expect(response.body, routeString(row)).toMatchObject({
          code,
          retryable: reported === 'repeat',
          submission_uncertain: reported !== 'repeat',
          ...(reported === 'repeat' ? {} : { detail: expect.stringMatching(reported as RegExp) }),
        })
      }),
    )
  } finally {
    await everywhere.stop()
  }
})

test('a read that was not answered in time may be repeated', async () => {
  world.areas.set('listOperations', () => new Promise(() => {}))
  expectProblem(await world.request('GET', list, { gateway: impatient }), 'service_unavailable', list)
  world.areas.delete('listOperations')
})

test('an answer that cannot be read is an error of ours, without its contents', async () => {
  world.areas.set('listOperations', () => 'secret' as never)
  const response = await world.request('GET', list)
  expectProblem(response, 'internal_error', list)
  expect(response.text).not.toContain('secret')
  world.areas.delete('listOperations')
})

test('an absent service received nothing: the request may be repeated, even a write', async () => {
  const another = await startWorld({}, { areas: [] })
  try {
    expectProblem(await another.request('GET', list), 'service_unavailable', list)
    expectProblem(await another.request('POST', create, write), 'service_unavailable', create, false)
  } finally {
    await another.stop()
  }
})

test('a large answer arrives whole', async () => {
  const data = { items: Array.from({ length: 3_000 }, (_, index) => ({ id: `é${index}`, text: 'x'.repeat(100) })) }
  world.areas.set('listOperations', () => ({ ok: true, data }))
  expect((await world.request('GET', list)).body).toEqual(data)
  world.areas.delete('listOperations')
})
