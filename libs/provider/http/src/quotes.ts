/** Estimates, offers and orders in the words of the Provider API. A transfer estimate in other currencies is `contract_broken`. */

import { offers, orders, purchaseEstimate, transferEstimate } from '@financial-agents/provider-api/shapes/quotes'
import type { ReadResult } from '@financial-agents/provider-port/port'
import type {
  ProviderPurchase,
  ProviderPurchaseQuote,
  PurchasableService,
  PurchaseQuoteMember,
  Quoted,
  TransferQuote,
  TransferQuoteMember,
  TransferQuoteRequest,
} from '@financial-agents/provider-port/quotes'
import type { ExchangeResult } from './exchange.ts'
import { broken, listOf, mapped } from './read-answers.ts'
import { findTimestamp, moneyOf, timestampOf } from './records.ts'

const transferMembers = {
  from_ccy: 'source_currency',
  to_ccy: 'target_currency',
  value: 'amount',
  payee_ref: 'beneficiary_id',
} as const satisfies Record<string, TransferQuoteMember>

const purchaseMembers = {
  offer_ref: 'service_id',
  sku: 'product_id',
  quantity: 'quantity',
  recipient: 'recipient',
} as const satisfies Record<string, PurchaseQuoteMember>

const states = { released: 'released', delivered: 'fulfilled', money_back: 'refunded' } as const

export function transferQuoteOf(
  result: ExchangeResult,
  { sourceCurrency, targetCurrency }: TransferQuoteRequest,
): ReadResult<Quoted<TransferQuote, TransferQuoteMember>> {
  const answer = listOf(result, transferEstimate)
  if (answer.type !== 'ok') return answer
  if ('not_offered' in answer.data) return refused(transferMembers[answer.data.not_offered])
  const { give, receive, rate, charge, network, arrives_at, good_until } = answer.data.estimate
  if (give.ccy !== sourceCurrency || receive.ccy !== targetCurrency) {
    return broken('an estimate in other currencies')
  }
  const quote = { source: moneyOf(give), target: moneyOf(receive), rate, fee: moneyOf(charge), rail: network }
  const data = {
    type: 'quoted',
    quote: { ...quote, estimated_arrival: findTimestamp(arrives_at), expires_at: timestampOf(good_until) },
  } as const
  return { type: 'ok', data }
}

export function purchaseQuoteOf(
  result: ExchangeResult,
): ReadResult<Quoted<ProviderPurchaseQuote, PurchaseQuoteMember>> {
  const answer = listOf(result, purchaseEstimate)
  if (answer.type !== 'ok') return answer
  if ('not_offered' in answer.data) return refused(purchaseMembers[answer.data.not_offered])
  const { estimate_ref, total, good_until } = answer.data.estimate
  const quote = { reference: estimate_ref, total: moneyOf(total), expires_at: timestampOf(good_until) }
  return { type: 'ok', data: { type: 'quoted', quote } }
}

function refused<Member extends string>(member: Member) {
  return { type: 'ok', data: { type: 'refused', member } } as const
}

export function servicesOf(result: ExchangeResult): ReadResult<readonly PurchasableService[]> {
  return mapped(listOf(result, offers), (answer) =>
    answer.offers.map(({ offer_ref, title, line, guide_url, skus }) => ({
      reference: offer_ref,
      name: title,
      category: line,
      documentation_url: guide_url,
      product_ids: skus,
    })),
  )
}

export function purchasesOf(result: ExchangeResult): ReadResult<readonly ProviderPurchase[]> {
  const answer = listOf(result, orders)
  if (answer.type !== 'ok') return answer
  const times = answer.data.orders.map(({ released_at }) => Date.parse(released_at))
  const wrong = times.findIndex((time, index) => time > (times[index - 1] ?? Number.POSITIVE_INFINITY))
  if (wrong >= 0) return broken(`orders.${wrong} is newer than the one before`)
  return mapped(answer, (data) =>
    data.orders.map(({ order_ref, estimate_ref, offer_ref, stage, total, released_at, changed_at }) => ({
      reference: order_ref,
      quote_reference: estimate_ref,
      service_reference: offer_ref,
      state: states[stage],
      total: moneyOf(total),
      released_at: timestampOf(released_at),
      updated_at: timestampOf(changed_at),
    })),
  )
}
