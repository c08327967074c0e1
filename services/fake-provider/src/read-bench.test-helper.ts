/** The bench of the read cases for the fake provider, in this process or in another. */

import { amara, ines } from '@financial-agents/provider-http/testing/test-users'
import {
  type ReadBench,
  type ReadFault,
  type ReadName,
  readFaults,
} from '@financial-agents/provider-port/conformance/read-bench'
import type { Provider } from '@financial-agents/provider-port/port'
import { makeTarget } from '@financial-agents/provider-port/testing/submissions'
import type { LedgerSummary } from './ledger.ts'

const kinds: { readonly [Name in ReadName]: string } = {
  accounts: 'account_read',
  activity: 'activity_read',
  addressCountries: 'reference_read',
  assets: 'assets_read',
  fiatPrices: 'prices_read',
  identityStatus: 'identity_read',
  payoutSchemas: 'reference_read',
  purchasableServices: 'services_read',
  purchaseQuote: 'purchase_quote',
  purchases: 'purchases_read',
  spendingAccount: 'account_read',
  transferQuote: 'transfer_quote',
  virtualAccountEconomics: 'economics_read',
  withdrawalLimits: 'account_read',
}

const scripts: { readonly [Fault in ReadFault]: object } = {
  slow: { script: 'slow', options: { delay_ms: 2_000 } },
  malform: { script: 'malform' },
  refuse: { script: 'refuse' },
}

const transfer = { sourceCurrency: 'EUR', targetCurrency: 'GBP', amount: '120.50', fixedSide: 'source' } as const
const tokens = { service: 'off_books', productId: 'books-20-eur', quantity: 2, recipient: 'someone@example.com' }

/** @param ask sends a request to the control API */
export async function createReadBench(
  provider: Provider,
  unreachable: Provider,
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>,
): Promise<ReadBench> {
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
    limits: { schema: 'swift_us_usd' },
    transferQuote: transfer,
    refusedTransferQuotes: [
      ['source_currency', { ...transfer, sourceCurrency: 'CHF' }],
      ['target_currency', { ...transfer, targetCurrency: 'CHF' }],
      ['amount', { ...transfer, amount: '9000000' }],
      ['amount', { ...transfer, amount: '0.001' }],
      ['beneficiary_id', { ...transfer, beneficiary: { upstreamReference: 'ben_nobody' } }],
    ],
    purchaseQuote: tokens,
    refusedPurchaseQuotes: [
      ['service_id', { ...tokens, service: 'off_nothing' }],
      ['product_id', { ...tokens, productId: 'topup-5-eur' }],
      ['quantity', { ...tokens, quantity: 21 }],
      ['recipient', { service: 'off_books', productId: 'books-20-eur', quantity: 1 }],
    ],
    priceCurrency: 'EUR',
    async order(fault, read) {
      await ask('POST', '/control/faults', { ...scripts[fault], match: { kind: kinds[read] }, times: 1 })
    },
    async countMutations() {
      return ((await ask('GET', '/control/ledger/summary')) as LedgerSummary).mutations
    },
  }
}
