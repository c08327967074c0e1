/**
 * Proves that the conformance cases find errors: each adapter here breaks one rule of the port, and at least one case
 * fails.
 */

import { randomUUID } from 'node:crypto'
import { conformanceCases } from '@financial-agents/provider-conformance/cases'
import type { ConformanceFault, ConformanceHarness } from '@financial-agents/provider-conformance/harness'
import { amara } from '@financial-agents/provider-http/testing/test-users'
import type { Provider, SubmitOutcome } from '@financial-agents/provider-port/port'
import { readySubmission } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type StartedProvider, startProvider } from './started.test-helper.ts'

const faults = new Set<ConformanceFault>([
  'drop_reply',
  'drop_request',
  'error_only',
  'error_reply',
  'garble_reply',
  'hold',
  'settle_later',
  'two_records',
])
/** The harness of an author who does not make the fault that validates promises about deadlines. */
const withoutHold = faults.difference(new Set(['hold']))
const scripts: { readonly [F in ConformanceFault]?: object } = {
  drop_reply: { script: 'accept_drop_reply' },
  drop_request: { script: 'drop_before_accept' },
  error_only: { script: 'error_before_accept' },
  error_reply: { script: 'accept_error_reply' },
  garble_reply: { script: 'accept_garble_reply' },
  hold: { script: 'hold' },
  settle_later: { script: 'settle_later' },
  two_records: { script: 'contradict' },
}

let fake: StartedProvider
beforeAll(async () => {
  fake = await startProvider()
})
afterAll(() => fake.close())

function harnessOf(provider: Provider): ConformanceHarness {
  return {
    provider,
    unreachable: { ...provider, submit: async () => unsent, lookup: async () => unreachable },
    faults,
    newSubmission: (kind) => readySubmission(fake.provider, kind, amara),
    newApprovalRequest: async () => undefined,
    newCardReveal: async () => Promise.reject(new Error('not asked for')),
    order: async (fault, client_reference) =>
      void (await fake.control('POST', '/control/faults', {
        ...scripts[fault],
        match: { client_reference },
        times: 1,
      })),
    settle: async (client_reference, as) =>
      void (await fake.control('POST', '/control/settle', {
        client_reference,
        as,
      })),
    async release(client_reference) {
      await fake.control('POST', '/control/release', { client_reference })
      const patience = { timeout: 120_000, interval: 20 }
      await vi.waitFor(
        async () => expect((await fake.ledger(client_reference))[0]?.outcome).not.toBe('received'),
        patience,
      )
    },
    decide: async () => undefined,
    countArrivals: async (reference) => (await fake.ledger(reference)).length,
  }
}

const unsent = { type: 'unsent', failureCode: 'provider_unreachable', failureDetail: 'Not sent.' } as const
const unreachable = { type: 'unavailable', reason: 'provider_unreachable' } as const

async function broken(provider: Provider, changes: Partial<ConformanceHarness> = {}): Promise<string[]> {
  const harness = { ...harnessOf(provider), ...changes }
  const failed: string[] = []
  for (const { name, run } of conformanceCases(['card_freeze'], harness.faults)) {
    await run(harness).catch(() => failed.push(name))
  }
  return failed
}

it('the adapter as it is breaks none', async () => {
  expect(await broken(fake.provider)).toEqual([])
})

const faultyProviders: [rule: string, break_: (honest: Provider) => Provider][] = [
  [
    'sends once',
    (honest) => ({
      ...honest,
      async submit(asked) {
        const outcome = await honest.submit(asked)
        return outcome.type === 'uncertain' ? honest.submit(asked) : outcome
      },
    }),
  ],
  [
    'takes a lost answer for no refusal',
    (honest) => ({
      ...honest,
      async submit(asked) {
        const outcome = await honest.submit(asked)
        return outcome.type === 'uncertain' ? { ...outcome, type: 'failed' } : outcome
      },
    }),
  ],
  [
    'takes acceptance for no execution',
    (honest) => ({
      ...honest,
      async submit(asked) {
        const outcome = await honest.submit(asked)
        return outcome.type === 'submitted' ? { ...outcome, type: 'succeeded' } : outcome
      },
    }),
  ],
  [
    'chooses none of two records',
    (honest) => ({
      ...honest,
      async lookup(asked) {
        const result = await honest.lookup(asked)
        const { read, observed } = { read: 'x', observed: 'x', ...result }
        if (result.type !== 'ambiguous') return result
        return { type: 'found', state: 'succeeded', read, observed, upstreamReference: 'x' }
      },
    }),
  ],
  [
    'finds what nobody sent nowhere',
    (honest) => ({
      ...honest,
      async lookup(asked) {
        const result = await honest.lookup(asked)
        if (result.type !== 'not_found') return result
        return { ...result, type: 'found', state: 'succeeded', upstreamReference: 'x' }
      },
    }),
  ],
  [
    'keeps the credentials to itself',
    (honest) => ({
      ...honest,
      async lookup(asked) {
        const result = await honest.lookup(asked)
        return 'observed' in result ? { ...result, observed: `${result.observed} ${asked.credentials}` } : result
      },
    }),
  ],
  [
    'tells the provider the deadline',
    (honest) => ({
      ...honest,
      submit: (asked) => honest.submit({ ...asked, validUntil: new Date(asked.validUntil.getTime() + 3_600_000) }),
    }),
  ],
  [
    'shows the clock of the provider where it finds nothing',
    (honest) => ({
      ...honest,
      async lookup(asked) {
        const result = await honest.lookup(asked)
        if (result.type !== 'not_found') return result
        const { providerTime: _, ...silent } = result
        return silent
      },
    }),
  ],
  [
    'calls a missed deadline by its name',
    (honest) => ({
      ...honest,
      async submit(asked) {
        const outcome = await honest.submit(asked)
        const expired = outcome.type === 'failed' && outcome.failureCode === 'submission_expired'
        return expired ? { ...outcome, failureCode: 'provider_refused' } : outcome
      },
    }),
  ],
  ['sends nothing that names nothing', (honest) => ({ ...honest, submit: (asked) => honest.submit(named(asked)) })],
]

const failureInside = 'card_freeze: a failure inside the provider is uncertain, and a read proves what it executed'
const failureAlone = 'card_freeze: a failure inside the provider that executed nothing is as uncertain, and not found'
const unreadable = 'card_freeze: an answer that nobody can read is uncertain, and a read proves what it executed'

type Uncertain = Extract<SubmitOutcome, { type: 'uncertain' }>

const hastyFaultyProviders: [takes: string, isMeant: (outcome: Uncertain) => boolean, caughtBy: string[]][] = [
  ['a failure inside', ({ failureCode }) => failureCode === 'provider_error', [failureInside, failureAlone]],
  ['what a gateway answers', ({ failureDetail }) => failureDetail.includes('status 503'), [failureAlone]],
  ['what it cannot read', ({ failureCode }) => failureCode === 'provider_response_invalid', [unreadable]],
]

it.concurrent.each(hastyFaultyProviders)(
  'an adapter that takes %s for a refusal is caught',
  async (_takes, isMeant, caughtBy) => {
    const honest = fake.provider
    const submit: Provider['submit'] = async (asked) => {
      const outcome = await honest.submit(asked)
      return outcome.type === 'uncertain' && isMeant(outcome) ? { ...outcome, type: 'failed' } : outcome
    }
    expect(await broken({ ...honest, submit })).toEqual(caughtBy)
  },
)

it.concurrent('an adapter that sends again after a failure inside is caught, also where nothing was executed', async () => {
  const honest = fake.provider
  const submit: Provider['submit'] = async (asked) => {
    const outcome = await honest.submit(asked)
    return 'failureCode' in outcome && outcome.failureCode === 'provider_error' ? honest.submit(asked) : outcome
  }
  expect(await broken({ ...honest, submit })).toEqual([failureInside, failureAlone])
})

const named: (asked: Parameters<Provider['submit']>[0]) => Parameters<Provider['submit']>[0] = (asked) => ({
  ...asked,
  target: asked.target ?? { upstreamReference: randomUUID() },
})

it.concurrent.each(faultyProviders)('%s: an adapter that does not is caught', async (_rule, break_) => {
  expect((await broken(break_(fake.provider))).length).toBeGreaterThan(0)
})

const late =
  "card_freeze: a request that arrives after its deadline is failed, and is not found by the provider's own clock"
const validated = 'deadlines: a promise about them is validated, or not made'

it('a promise about deadlines is caught if the harness cannot validate it, and one that is not made is not', async () => {
  expect(await broken(fake.provider, { faults: withoutHold })).toEqual([validated])
  const half = { refusesAfterDeadline: true, completeByReference: false, clockMarginMs: 0 }
  for (const deadlines of [null, half])
    expect(await broken({ ...fake.provider, deadlines }, { faults: withoutHold })).toEqual([])
})

it('a request that is executed after its deadline is caught without the fault hold', async () => {
  const submit: Provider['submit'] = (asked) =>
    fake.provider.submit({ ...asked, validUntil: new Date(asked.validUntil.getTime() + 3_600_000) })
  expect(await broken({ ...fake.provider, submit }, { faults: withoutHold })).toEqual([late, validated])
})

it('a kind without the promise is caught if its reads show the time of the provider', async () => {
  expect(await broken(fake.provider, { deadlineKinds: new Set() })).toEqual([validated])
  await fake.control('PUT', '/control/deadlines', { refuses: false })
  expect(await broken(fake.provider, { deadlineKinds: new Set() })).toEqual([])
  await fake.control('PUT', '/control/deadlines', { refuses: true })
})

it('a provider that executes after the deadline what waited inside it is caught', async () => {
  const promise = (refuses: boolean) => fake.control('PUT', '/control/deadlines', { refuses })
  const honest = harnessOf(fake.provider)
  // Imitates a provider that validates the deadline of a request at its arrival only.
  const release = async (reference: string) => {
    await promise(false)
    await honest.release(reference)
    await promise(true)
  }
  expect(await broken(fake.provider, { release })).toEqual([
    'card_freeze: a request that waited inside the provider until after its deadline is never executed',
  ])
})

it('a provider that executes after its deadline, and promises all the same, is caught', async () => {
  const lookup: Provider['lookup'] = async (asked) => {
    const result = await fake.provider.lookup(asked)
    return result.type === 'not_found' ? { ...result, providerTime: new Date() } : result
  }
  await fake.control('PUT', '/control/deadlines', { refuses: false })
  const failed = await broken({ ...fake.provider, lookup })
  await fake.control('PUT', '/control/deadlines', { refuses: true })
  expect(failed).toHaveLength(2)
})
