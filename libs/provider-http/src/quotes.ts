/** Estimates, offers and orders in the words of the Provider API. A transfer estimate in other currencies is `contract_broken`. */

import type { ReadResult } from '@financial-agents/provider/port'
import type {
  ProviderPurchase,
  ProviderPurchaseQuote,
  PurchasableService,
  PurchaseQuoteMember,
  Quoted,
  TransferQuote,
  TransferQuoteMember,
  TransferQuoteRequest,
} from '@financial-agents/provider/quotes'
import { z } from 'zod'
import type { ExchangeResult } from './exchange.ts'
import { broken, listOf, mapped } from './read-answers.ts'
import { WireDecimal, WireMoment, WireMoney, WireNetwork } from './records.ts'

const Reference = z.string().min(1).max(200)

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

function notOffered<Members extends Record<string, string>>(members: Members) {
  return z.object({ not_offered: z.enum(Object.keys(members) as (keyof Members & string)[]) })
}

const TransferEstimate = z.union([
  notOffered(transferMembers),
  z.object({
    estimate: z.object({
      give: WireMoney,
      receive: WireMoney,
      rate: WireDecimal,
      charge: WireMoney,
      network: WireNetwork,
      arrives_at: WireMoment.nullable(),
      good_until: WireMoment,
    }),
  }),
])

const PurchaseEstimate = z.union([
  notOffered(purchaseMembers),
  z.object({ estimate: z.object({ estimate_ref: Reference, total: WireMoney, good_until: WireMoment }) }),
])

const Offers = z.object({
  offers: z
    .array(
      z.object({
        offer_ref: Reference,
        title: z.string().min(1).max(200),
        line: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
        guide_url: z
          .url({ protocol: /^https$/ })
          .max(2_048)
          .nullable(),
        skus: z.array(z.string().min(1).max(128)).max(1_000),
      }),
    )
    .max(1_000),
})

const Orders = z.object({
  orders: z
    .array(
      z.object({
        order_ref: Reference,
        estimate_ref: Reference,
        offer_ref: Reference,
        stage: z.enum(['released', 'delivered', 'money_back']),
        total: WireMoney,
        released_at: WireMoment,
        changed_at: WireMoment,
      }),
    )
    .max(1_000),
})

const states = { released: 'released', delivered: 'fulfilled', money_back: 'refunded' } as const

export function transferQuoteOf(
  result: ExchangeResult,
  { sourceCurrency, targetCurrency }: TransferQuoteRequest,
): ReadResult<Quoted<TransferQuote, TransferQuoteMember>> {
  const answer = listOf(result, TransferEstimate)
  if (answer.type !== 'ok') return answer
  if ('not_offered' in answer.data) return refused(transferMembers[answer.data.not_offered])
  const { give, receive, rate, charge, network, arrives_at, good_until } = answer.data.estimate
  if (give.currency !== sourceCurrency || receive.currency !== targetCurrency) {
    return broken('an estimate in other currencies')
  }
  const quote = { source: give, target: receive, rate, fee: charge, rail: network }
  const data = { type: 'quoted', quote: { ...quote, estimated_arrival: arrives_at, expires_at: good_until } } as const
  return { type: 'ok', data }
}

export function purchaseQuoteOf(
  result: ExchangeResult,
): ReadResult<Quoted<ProviderPurchaseQuote, PurchaseQuoteMember>> {
  const answer = listOf(result, PurchaseEstimate)
  if (answer.type !== 'ok') return answer
  if ('not_offered' in answer.data) return refused(purchaseMembers[answer.data.not_offered])
  const { estimate_ref, total, good_until } = answer.data.estimate
  return { type: 'ok', data: { type: 'quoted', quote: { reference: estimate_ref, total, expires_at: good_until } } }
}

function refused<Member extends string>(member: Member) {
  return { type: 'ok', data: { type: 'refused', member } } as const
}

export function servicesOf(result: ExchangeResult): ReadResult<readonly PurchasableService[]> {
  return mapped(listOf(result, Offers), ({ offers }) =>
    offers.map(({ offer_ref, title, line, guide_url, skus }) => ({
      reference: offer_ref,
      name: title,
      category: line,
      documentation_url: guide_url,
      product_ids: skus,
    })),
  )
}

export function purchasesOf(result: ExchangeResult): ReadResult<readonly ProviderPurchase[]> {
  const answer = listOf(result, Orders)
  if (answer.type !== 'ok') return answer
  const { orders } = answer.data
  const wrong = orders.findIndex(({ released_at }, index) => released_at > (orders[index - 1]?.released_at ?? '9'))
  if (wrong >= 0) return broken(`orders.${wrong} is newer than the one before`)
  return mapped(answer, () =>
    orders.map(({ order_ref, estimate_ref, offer_ref, stage, total, released_at, changed_at }) => ({
      reference: order_ref,
      quote_reference: estimate_ref,
      service_reference: offer_ref,
      state: states[stage],
      total,
      released_at,
      updated_at: changed_at,
    })),
  )
}
