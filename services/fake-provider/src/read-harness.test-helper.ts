/** The harness of the read cases for the fake provider, in this process or in another. */

import { type ReadFault, type ReadHarness, readFaults } from '@financial-agents/provider-conformance/read-harness'
import { amara, ines } from '@financial-agents/provider-http/testing/test-users'
import type { Provider } from '@financial-agents/provider-port/port'
import { makeTarget } from '@financial-agents/provider-port/testing/submissions'
import type { LedgerSummary } from './ledger.ts'

const scripts: { readonly [Fault in ReadFault]: object } = {
  slow: { script: 'slow', options: { delay_ms: 2_000 } },
  malform: { script: 'malform' },
  refuse: { script: 'refuse' },
}

const transferQuote = {
  source_currency: 'EUR',
  target_currency: 'GBP',
  amount: '120.50',
  fixed_side: 'source',
} as const
const book = { service_reference: 'srv_books', product_id: 'books-20-eur', quantity: 1 }
const purchaseQuote = { ...book, quantity: 2, recipient: 'someone@example.com' }

/** @param ask sends a request to the control API */
export async function createReadHarness(
  provider: Provider,
  unreachable: Provider,
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>,
): Promise<ReadHarness> {
  const card = await makeTarget(provider, 'card_freeze', ines)
  if (card === undefined) throw new Error('no card')
  return {
    provider,
    unreachable,
    faults: new Set(readFaults),
    person: { credentials: ines, timeoutMs: 60_000 },
    stranger: { credentials: amara, timeoutMs: 60_000 },
    refusedCredentials: 'test-user-nobody-nowhere',
    card,
    asks: {
      fiatPrices: { currency: 'EUR' },
      purchaseQuote,
      transferQuote,
      withdrawalLimits: { schema: 'swift_us_usd' },
    },
    refusedTransferQuotes: [
      ['source_currency', { ...transferQuote, source_currency: 'CHF' }],
      ['target_currency', { ...transferQuote, target_currency: 'CHF' }],
      ['amount', { ...transferQuote, amount: '9000000' }],
      ['amount', { ...transferQuote, amount: '0.001' }],
      ['beneficiary_reference', { ...transferQuote, beneficiary_reference: 'ben_nobody' }],
    ],
    refusedPurchaseQuotes: [
      ['service_reference', { ...purchaseQuote, service_reference: 'srv_nothing' }],
      ['product_id', { ...purchaseQuote, product_id: 'topup-5-eur' }],
      ['quantity', { ...purchaseQuote, quantity: 21 }],
      ['recipient', book],
    ],
    async order(fault, read) {
      await ask('POST', '/control/faults', { ...scripts[fault], match: { kind: read }, times: 1 })
    },
    async countMutations() {
      return ((await ask('GET', '/control/ledger/summary')) as LedgerSummary).mutations
    },
  }
}
