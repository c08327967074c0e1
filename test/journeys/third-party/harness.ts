/** The harness of the adapter: its bank, the faults on order, and one person. The program `provider-conformance` takes it with `--harness`. */

import assert from 'node:assert/strict'
import type { AdapterHarness } from '@financial-agents/provider-conformance/adapter-harness'
import { readySubmission } from '@financial-agents/provider-port/testing/submissions'
import adapter from './adapter.ts'
import { type BankFault, bankFaults, startBank } from './bank.ts'

const person = { credentials: 'token-of-one-person', timeoutMs: 10_000 }
const stranger = { credentials: 'token-of-another-person', timeoutMs: 10_000 }
const limits = { connections: 4, connectTimeoutMs: 2_000 }
const transferQuote = {
  source_currency: 'EUR',
  target_currency: 'GBP',
  amount: '20.00',
  fixed_side: 'source',
} as const

const never = async (): Promise<never> => assert.fail('the bank does not offer this')
const isOfBank = (fault: string): fault is BankFault => (bankFaults as readonly string[]).includes(fault)

export default async function open(): Promise<AdapterHarness> {
  const bank = await startBank(new Set([person.credentials, stranger.credentials]))
  const provider = adapter.open({ variables: { URL: bank.url }, ...limits })
  // Nothing listens at this port: it is reserved.
  const unreachable = adapter.open({ variables: { URL: 'http://127.0.0.1:9' }, ...limits })
  return {
    kinds: adapter.kinds,
    harness: {
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
    },
    readHarness: {
      provider,
      unreachable,
      faults: new Set(),
      person,
      stranger,
      refusedCredentials: 'of-nobody-at-all',
      card: { upstreamReference: 'none' },
      asks: {
        fiatPrices: { currency: 'EUR' },
        purchaseQuote: { service_reference: 'none', product_id: 'none', quantity: 1 },
        transferQuote,
        withdrawalLimits: { schema: 'sepa_pt_eur' },
      },
      refusedTransferQuotes: [['target_currency', transferQuote]],
      refusedPurchaseQuotes: [],
      order: never,
      countMutations: async () => bank.countAll(),
    },
    // The bank has no data for the other reads.
    reads: ['accounts', 'addressCountries', 'payoutSchemas', 'virtualAccountEconomics', 'withdrawalLimits'],
    close: () => bank.close(),
  }
}
