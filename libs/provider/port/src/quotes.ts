/** The port's reads of quotes, purchasable services and purchases. A quote promises nothing and moves nothing. */

import { purchaseState } from '@financial-agents/contract/schemas/purchase'
import { fixedSide } from '@financial-agents/contract/schemas/quote'
import { z } from 'zod'
import { currency, type DataOf, decimal, money, positiveDecimal, rail, reference, timestamp } from './primitives.ts'

const expires_at = timestamp.describe('The quote is shown until this time. It reserves nothing.')
const productId = z.string().min(1).max(128)

/** A quote, or the member of the request for which the provider gives no quote. */
function quoted<Quote extends z.ZodType, const Members extends readonly [string, ...string[]]>(
  quote: Quote,
  members: Members,
) {
  return z.discriminatedUnion('type', [
    z.object({ type: z.literal('quoted').describe('There is a quote.'), quote }),
    z.object({
      type: z.literal('refused').describe('There is no quote for this request.'),
      member: z.enum(members).describe('The member of the request that does not fit.'),
    }),
  ])
}

export const transferQuoteRequest = z
  .object({
    source_currency: currency.describe('The currency that the person pays in.'),
    target_currency: currency.describe('The currency that arrives.'),
    amount: positiveDecimal.describe('The amount of the fixed side.'),
    fixed_side: z.enum(fixedSide.options).describe('The side that `amount` fixes.'),
    beneficiary_reference: reference.optional().describe('The beneficiary, if there is one already.'),
  })
  .describe('A possible transfer.')

const transferQuoteShown = z
  .object({
    source: money.describe('The amount that the person pays, without the fee. In `source_currency`.'),
    target: money.describe('The amount that arrives. In `target_currency`.'),
    rate: decimal.describe('The value of one unit of `source` in the currency of `target`.'),
    fee: money.describe('The fee, in addition to `source`.'),
    rail,
    estimated_arrival: timestamp.nullable().describe('The time at which it would arrive.'),
    expires_at,
  })
  .describe('A quote. The fixed side equals the request.')

export type TransferQuote = DataOf<typeof transferQuoteShown>

export const transferQuote = quoted(transferQuoteShown, [
  'source_currency',
  'target_currency',
  'amount',
  'beneficiary_reference',
]).describe('A quote, or the member that does not fit.')

export const purchaseQuoteRequest = z
  .object({
    service_reference: reference.describe('A service of `GET /purchasable-services`.'),
    product_id: productId.describe('One of its `product_ids`.'),
    quantity: z.int().min(1).max(10_000).describe('The number of units.'),
    recipient: z.string().min(1).max(400).optional().describe('The recipient, if the product is for somebody.'),
  })
  .describe('A possible purchase.')

export const purchaseQuote = quoted(
  z
    .object({
      reference: reference.describe('A different reference for each quote.'),
      total: money.describe('The total price.'),
      expires_at,
    })
    .describe('A quote.'),
  ['service_reference', 'product_id', 'quantity', 'recipient'],
).describe('A quote, or the member that does not fit.')

/** A member of a request that does not fit. */
export type TransferQuoteMember = Extract<DataOf<typeof transferQuote>, { type: 'refused' }>['member']
export type PurchaseQuoteMember = Extract<DataOf<typeof purchaseQuote>, { type: 'refused' }>['member']

const service = z.object({
  reference,
  name: z.string().min(1).max(200).describe('The name of the service.'),
  category: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/)
    .describe('The kind of service.'),
  documentation_url: z
    .url({ protocol: /^https$/ })
    .max(2_048)
    .nullable()
    .describe('A page about the service.'),
  product_ids: z.array(productId).min(1).max(1_000).describe('Its products, each named once.'),
})

/** A service that can be bought through the provider, the same for everybody. */
export type PurchasableService = DataOf<typeof service>

export const purchasableServices = z.array(service).max(1_000).describe('All services for sale.')

const purchase = z.object({
  reference,
  quote_reference: reference.describe('The quote that the purchase was bound to.'),
  service_reference: reference.describe('The service.'),
  state: z.enum(purchaseState.options).describe('The state of the purchase.'),
  total: money.describe('The price.'),
  released_at: timestamp.describe('The time of the payment. Purchases are sorted by it, newest first.'),
  updated_at: timestamp.describe('The time of the last change of the state; not before `released_at`.'),
})

export type ProviderPurchase = DataOf<typeof purchase>

export const purchases = z.array(purchase).max(1_000).describe('All purchases of the person, newest first.')
