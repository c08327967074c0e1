/** The published cases over the adapter and its bank, as its author runs them: `node --test dist/conformance.js`. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ConformanceBench } from '@financial-agents/provider/conformance/bench'
import { conformanceCases } from '@financial-agents/provider/conformance/cases'
import type { ReadBench } from '@financial-agents/provider/conformance/read-bench'
import { readConformanceCases } from '@financial-agents/provider/conformance/read-cases'
import { readySubmission } from '@financial-agents/provider/testing/submissions'
import adapter from './adapter.ts'
import { type BankFault, bankFaults, startBank } from './bank.ts'

const person = { credentials: 'token-of-one-person', timeoutMs: 10_000 }
const stranger = { credentials: 'token-of-another-person', timeoutMs: 10_000 }
const bank = await startBank(new Set([person.credentials, stranger.credentials]))
const limits = { connections: 4, connectTimeoutMs: 2_000 }
const provider = adapter.open({ variables: { URL: bank.url }, ...limits })
// Nothing listens at this port: it is reserved.
const unreachable = adapter.open({ variables: { URL: 'http://127.0.0.1:9' }, ...limits })
after(() => bank.close())

const never = async (): Promise<never> => assert.fail('the bank does not offer this')
const isOfBank = (fault: string): fault is BankFault => (bankFaults as readonly string[]).includes(fault)

const bench: ConformanceBench = {
  provider,
  unreachable,
  faults: new Set(bankFaults),
  newSubmission: (kind) => readySubmission(provider, kind, person.credentials),
  newApprovalRequest: async () => undefined,
  newCardReveal: never,
  order: async (fault, reference) => (isOfBank(fault) ? bank.order(fault, reference) : never()),
  settle: never,
  release: never,
  decide: never,
  countArrivals: async (reference) => bank.countArrivals(reference),
}
for (const { name, run } of conformanceCases(adapter.kinds, bench.faults)) void test(name, () => run(bench))

const transfer = { sourceCurrency: 'EUR', targetCurrency: 'GBP', amount: '20.00', fixedSide: 'source' } as const
const readBench: ReadBench = {
  provider,
  unreachable,
  faults: new Set(),
  person,
  stranger,
  refusedCredentials: 'of-nobody-at-all',
  card: { upstreamReference: 'none' },
  limits: { schema: 'sepa_pt_eur' },
  transferQuote: transfer,
  refusedTransferQuotes: [['target_currency', transfer]],
  purchaseQuote: { service: 'none', productId: 'none', quantity: 1 },
  refusedPurchaseQuotes: [],
  priceCurrency: 'EUR',
  order: never,
  countMutations: async () => 0,
}
/** The reads that the bank answers. It has nothing to show in the others. */
const answered = /^(?:accounts|addressCountries|payoutSchemas|virtualAccountEconomics|withdrawalLimits): /
for (const { name, run } of readConformanceCases(readBench.faults))
  if (answered.test(name)) void test(name, () => run(readBench))
