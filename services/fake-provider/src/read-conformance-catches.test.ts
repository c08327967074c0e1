/**
 * Proves that the read cases find errors: each adapter here breaks one rule of the port, and at least one case fails.
 */

import { readConformanceCases } from '@financial-agents/provider-conformance/read-cases'
import type { ReadFault } from '@financial-agents/provider-conformance/read-harness'
import { createHttpAdapter } from '@financial-agents/provider-http/adapter'
import { amara } from '@financial-agents/provider-http/testing/test-users'
import type { Provider, ReadResult } from '@financial-agents/provider-port/port'
import { readySubmission } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createReadHarness } from './read-harness.test-helper.ts'
import { type StartedProvider, startProvider } from './started.test-helper.ts'

let fake: StartedProvider
let unreachable: Provider
beforeAll(async () => {
  fake = await startProvider()
  unreachable = createHttpAdapter({ baseUrl: 'http://127.0.0.1:9', connections: 1, connectTimeoutMs: 1_000 })
})
afterEach(() => fake.control('DELETE', '/control/faults'))
afterAll(async () => {
  await unreachable.close()
  await fake.close()
})

/** Returns the cases that the provider fails, among those whose names have this prefix. */
async function broken(provider: Provider, faults: ReadonlySet<ReadFault>, beginning = ''): Promise<string[]> {
  const ask = async (method: string, path: string, body?: unknown) => (await fake.control(method, path, body)).body
  const harness = { ...(await createReadHarness(fake.provider, unreachable, ask)), provider, faults }
  const failed: string[] = []
  const cases = readConformanceCases(faults).filter(({ name }) => name.startsWith(beginning))
  for (const { name, run } of cases) await run(harness).catch(() => failed.push(name))
  return failed
}

it('the adapter as it is breaks none', async () => {
  expect(await broken(fake.provider, new Set(['malform']))).toEqual([])
})

function mapped<Data>(read: ReadResult<Data>, map: (data: Data) => Data): ReadResult<Data> {
  return read.type === 'ok' ? { type: 'ok', data: map(read.data) } : read
}

const faultyProviders: [rule: string, caughtBy: string, break_: (honest: Provider) => Provider][] = [
  [
    'writes times as the API does',
    'activity: answers in the shapes',
    (honest) => ({
      ...honest,
      activity: async (asked) =>
        mapped(await honest.activity(asked), ({ items, next_cursor }) => ({
          items: items.map((item) => ({ ...item, occurred_at: item.occurred_at.replace('.000Z', '+00:00') })),
          next_cursor,
        })),
    }),
  ],
  [
    'leaves nothing out between pages',
    'activity: pages of any size',
    (honest) => ({
      ...honest,
      activity: async (asked) =>
        mapped(await honest.activity(asked), ({ items, next_cursor }) => ({ items: items.slice(0, 8), next_cursor })),
    }),
  ],
  [
    'shows the newest first',
    'activity: pages of any size',
    (honest) => ({
      ...honest,
      activity: async (asked) =>
        mapped(await honest.activity(asked), ({ items, next_cursor }) => ({ items: items.toReversed(), next_cursor })),
    }),
  ],
  [
    'takes no cursor of another query',
    'activity: a cursor of another query',
    (honest) => ({
      ...honest,
      async activity(asked) {
        const page = await honest.activity(asked)
        return page.type === 'ok' ? page : honest.activity({ ...asked, cursor: undefined })
      },
    }),
  ],
  [
    'keeps to the period',
    'activity: a period begins',
    (honest) => ({ ...honest, activity: (asked) => honest.activity({ ...asked, to: undefined }) }),
  ],
  [
    'says that credentials were refused',
    'spendingAccount: refused credentials',
    (honest) => ({
      ...honest,
      async spendingAccount(call) {
        const read = await honest.spendingAccount(call)
        return read.type === 'unavailable' ? { ...read, reason: 'provider_refused' } : read
      },
    }),
  ],
  [
    'repeats nothing of a broken answer',
    'accounts: an answer of another shape',
    (honest) => ({
      ...honest,
      async accounts(call) {
        const read = await honest.accounts(call)
        return read.type === 'contract_broken' ? { ...read, reason: 'unreadable: acc_ines_1' } : read
      },
    }),
  ],
  [
    'takes no broken answer for an empty one',
    'purchases: an answer of another shape',
    (honest) => ({
      ...honest,
      async purchases(call) {
        const read = await honest.purchases(call)
        return read.type === 'contract_broken' ? { type: 'ok', data: [] } : read
      },
    }),
  ],
  [
    'shows the person what is the person’s',
    'purchases: each has a reference',
    (honest) => ({ ...honest, purchases: (call) => honest.purchases({ ...call, credentials: amara }) }),
  ],
  [
    'refuses for the member that does not fit',
    'purchaseQuote: what does not fit',
    (honest) => ({
      ...honest,
      purchaseQuote: async (asked) =>
        mapped(await honest.purchaseQuote(asked), (answer) =>
          answer.type === 'refused' ? { type: 'refused', member: 'service_reference' } : answer,
        ),
    }),
  ],
  [
    'moves nothing',
    'reads move nothing',
    (honest) => ({
      ...honest,
      async transferQuote(asked) {
        await honest.submit(await readySubmission(honest, 'card_create', asked.credentials))
        return honest.transferQuote(asked)
      },
    }),
  ],
]

it.each(faultyProviders)('%s: an adapter that does not is caught', async (_rule, caughtBy, break_) => {
  expect(await broken(break_(fake.provider), new Set(['malform']), caughtBy)).toHaveLength(1)
})

it('keeps to the time given: an adapter that does not is caught', async () => {
  const patient: Provider = {
    ...fake.provider,
    identityStatus: (call) => fake.provider.identityStatus({ ...call, timeoutMs: 60_000 }),
  }
  const failed = await broken(patient, new Set(['slow']), 'identityStatus: ')
  expect(failed).toEqual(['identityStatus: a time-out is unavailable, when the time given is over'])
})
