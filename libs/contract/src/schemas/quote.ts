/** Quotes: indicative, and never executable. */

import { z } from 'zod'
import { currency, dateTime, decimal, id, money, positiveAmount, rail, text } from './primitives.ts'

const indicative = { indicative: z.literal(true), executable: z.literal(false) }

/** The body of `POST /v1/quotes`. */
export const createTransferQuoteBody = z.strictObject({
  source_currency: currency,
  target_currency: currency,
  amount: positiveAmount,
  fixed_side: z.enum(['source', 'target'], { error: 'Send source or target.' }),
  beneficiary_id: id.optional(),
})

/** What a transfer would come to. */
export const transferQuote = z.strictObject({
  id,
  ...indicative,
  source: money,
  target: money,
  /** Target for one of source. */
  rate: decimal,
  fee: money,
  rail,
  estimated_arrival: dateTime.nullable(),
  expires_at: dateTime,
})

/** The body of `POST /v1/purchases/quotes`. */
export const createPurchaseQuoteBody = z.strictObject({
  service_id: id,
  product_id: text(1, 128),
  quantity: z
    .int({ error: 'Send a whole number from 1 to 10000.' })
    .min(1, { error: 'Send a whole number from 1 to 10000.' })
    .max(10_000, { error: 'Send a whole number from 1 to 10000.' }),
  recipient: text(1, 200).optional(),
})

/** What a purchase would come to. */
export const purchaseQuote = z.strictObject({
  id,
  ...indicative,
  service_id: id,
  product_id: z.string(),
  quantity: z.int().min(1),
  total: money,
  expires_at: dateTime,
})

/** What a purchase would come to. */
export type PurchaseQuote = z.output<typeof purchaseQuote>
