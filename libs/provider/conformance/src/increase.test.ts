/**
 * The port's cases over the adapter for Increase and its fake. Left out: deadlines, because Increase promises nothing about them; contradicting states, because its
 * records are not known to go back; and, for changes of a card, the cases that read by our reference, because Increase keeps none.
 */

import { randomUUID } from 'node:crypto'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { type Fake, type Fault, startFake } from '@financial-agents/provider-increase/testing/fake'
import { credentials, keyedKinds, openAdapter, ready } from '@financial-agents/provider-increase/testing/submissions'
import type { Provider } from '@financial-agents/provider-port/port'
import { make } from '@financial-agents/provider-port/testing/submissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conformanceCases } from './cases/cases.ts'
import { type ConformanceFault, type ConformanceHarness, doubtfulFaults } from './cases/harness.ts'

let fake: Fake
let provider: Provider
beforeAll(async () => {
  fake = await startFake()
  provider = openAdapter(fake.url)
})
afterAll(async () => {
  await provider.close()
  await fake.close()
})

/**
 * Without `slow`: its case waits one second, and a transfer first reads its beneficiary. The adapter's own test has a case
 * with more time.
 */
const faults: readonly ConformanceFault[] = ['refuse', 'reject', ...doubtfulFaults]

/** The faults that have another name at the fake. */
const names: { readonly [F in ConformanceFault]?: Fault } = { error_only: 'error_500', garble_reply: 'nonsense' }

const any = new Set(faults)
const later = new Set<ConformanceFault>(['settle_later', 'two_records'])

/** Cases that do not apply to this adapter, with the reasons. */
const leftOut = [
  // The adapter never asks for an approval, as the case `an approval is asked for where …` shows.
  'an approval, where it is asked for',
  // Increase promises nothing about deadlines, as the case `a promise about them is validated, or not made` shows.
  'a request that arrives after its deadline',
  // The page belongs to Increase.
  'the page of a card reveal shows no card number',
]

/** Cases that read by our reference, of which Increase keeps none for a change. */
const byReference = [
  'what is executed arrives once',
  'a definitive answer',
  'a lost answer is uncertain',
  'a request that was lost',
  'a failure inside the provider',
  'an answer that nobody can read',
  'a provider that cannot be reached was sent nothing',
  'a record that was not the one acknowledged',
]

function casesOf(kinds: readonly OperationKind[], faults: ReadonlySet<ConformanceFault>, without: readonly string[]) {
  return conformanceCases(kinds, faults).filter(
    ({ name }) => ![...leftOut, ...without].some((part) => name.includes(part)),
  )
}

const suites = [
  ['kinds of which Increase keeps our reference', casesOf(keyedKinds, any, []), 43],
  ['transfers that settle later', casesOf(['transfer'], later, []).filter(({ needs }) => needs.length > 0), 3],
  ['changes of a card', casesOf(['card_close', 'card_freeze', 'card_unfreeze'], any, byReference), 10],
] as const

describe.each(suites)('%s', (_, cases, count) => {
  test('no case is left out unnoticed', () => expect(cases).toHaveLength(count))
  for (const { name, run } of cases) test(name, () => run(fakeHarness(provider, fake)))
})

function fakeHarness(provider: Provider, fake: Fake): ConformanceHarness {
  return {
    provider,
    unreachable: openAdapter('http://127.0.0.1:9'),
    faults: new Set(faults),
    newSubmission: (kind) => ready(provider, kind),
    newApprovalRequest: async () => undefined,
    async newCardReveal() {
      const card = await make(provider, await ready(provider, 'card_create'))
      return { credentials, timeoutMs: 60_000, reference: randomUUID(), card }
    },
    order: async (fault, reference) => fake.order(reference, names[fault] ?? (fault as Fault)),
    settle: async (reference, as) =>
      fake.change(
        reference,
        as === 'succeeded'
          ? { status: 'submitted', settlement: { settled_at: '2026-02-01T00:00:00Z' } }
          : { status: 'rejected' },
      ),
    release: () => Promise.reject(new Error('nothing is held')),
    decide: () => Promise.reject(new Error('nobody has to approve')),
    countArrivals: async (reference) => fake.arrivals(reference),
  }
}
