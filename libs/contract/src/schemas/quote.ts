/** Quotes, which are indicative and cannot be executed. */

import { z } from 'zod'
import {
  currency,
  dateTime,
  decimal,
  id,
  inMinorUnits,
  money,
  positiveAmount,
  rail,
  text,
  words,
} from './primitives.ts'

const indicative = {
  indicative: z.literal(true).describe('Always: prices may move.'),
  executable: z.literal(false).describe('Always: nothing executes a quote.'),
}

/** The body of `POST /v1/quotes`. */
export const createTransferQuoteBody = z
  .strictObject({
    source_currency: currency.describe('What is given (ISO 4217).'),
    target_currency: currency.describe('What arrives (ISO 4217).'),
    amount: positiveAmount.describe(
      'How much, on the side that is fixed; no finer than the smallest unit of its currency.',
    ),
    fixed_side: z
      .enum(['source', 'target'], { error: 'Send source or target.' })
      .describe('Which side `amount` is of.'),
    beneficiary_id: id.optional().describe('To whom, where that matters to the price.'),
  })
  .superRefine(
    inMinorUnits(({ amount, fixed_side, ...body }) => {
      const side = `${fixed_side}_currency` as const
      return { amount, currency: body[side], paths: { amount: 'amount', currency: side } }
    }),
  )

/** The estimated result of a transfer. */
export const transferQuote = z.strictObject({
  id: id.describe('The quote.'),
  ...indicative,
  source: money.describe('What would be given.'),
  target: money.describe('What would arrive.'),
  rate: decimal.describe('Target for one of source.'),
  fee: money.describe('What it would cost.'),
  rail: rail.describe('The way in which it would be paid.'),
  estimated_arrival: dateTime.nullable().describe('When it would arrive.'),
  expires_at: dateTime.describe('Until when the provider stands by it.'),
})

/** The body of `POST /v1/purchases/quotes`. */
export const createPurchaseQuoteBody = z.strictObject({
  service_id: id.describe('The service.'),
  product_id: text(1, 128).describe('What of it.'),
  quantity: z
    .int({ error: 'Send a whole number from 1 to 10000.' })
    .min(1, { error: 'Send a whole number from 1 to 10000.' })
    .max(10_000, { error: 'Send a whole number from 1 to 10000.' })
    .describe('How many.'),
  recipient: words(1, 200).optional().describe('For whom, as the service names them.'),
})

/** The estimated cost of a purchase. */
export const purchaseQuote = z.strictObject({
  id: id.describe('The quote.'),
  ...indicative,
  service_id: id.describe('The service.'),
  product_id: z.string().describe('What of it.'),
  quantity: z.int().min(1).describe('How many.'),
  total: money.describe('What it would cost.'),
  expires_at: dateTime.describe('Until when the provider stands by it.'),
})

/** The estimated cost of a purchase. */
export type PurchaseQuote = z.output<typeof purchaseQuote>
