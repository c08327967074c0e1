/** Quotes, which are indicative and cannot be executed. */

import { z } from 'zod'
import { documented } from './documented.ts'
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
  withoutControls,
  words,
} from './primitives.ts'
import { eur, ids } from './story.ts'

const indicative = {
  indicative: z.literal(true).describe('Always true: prices may change.'),
  executable: z.literal(false).describe('Always false: a quote cannot be executed.'),
}

/** The side of a quote that its amount fixes. */
export const fixedSide = z
  .enum(['source', 'target'], { error: 'Send source or target.' })
  .register(documented, { id: 'FixedSide' })

/** The body of `POST /v1/quotes`. */
export const createTransferQuoteBody = z
  .strictObject({
    source_currency: currency.describe('The currency that is sent (ISO 4217).'),
    target_currency: currency.describe('The currency that arrives (ISO 4217).'),
    amount: positiveAmount.describe('The amount on the fixed side; no finer than the smallest unit of its currency.'),
    fixed_side: fixedSide.describe('The side that `amount` fixes.'),
    beneficiary_id: id.optional().describe('The beneficiary, if it affects the price.'),
  })
  .superRefine(
    inMinorUnits(({ amount, fixed_side, ...body }) => {
      const side = `${fixed_side}_currency` as const
      return { amount, currency: body[side], paths: { amount: 'amount', currency: side } }
    }),
  )
  .register(documented, {
    examples: [{ source_currency: 'EUR', target_currency: 'USD', amount: '100.00', fixed_side: 'source' }],
  })

/** The estimated result of a transfer. */
export const transferQuote = z
  .strictObject({
    id: id.describe('The quote.'),
    ...indicative,
    source: money.describe('The amount that would be sent.'),
    target: money.describe('The amount that would arrive.'),
    rate: decimal.describe('The amount of the target currency for one unit of the source currency.'),
    fee: money.describe('The fee.'),
    rail: rail.describe('The payout method.'),
    estimated_arrival: dateTime.nullable().describe('The expected time of arrival.'),
    expires_at: dateTime.describe('The time at which the quote expires.'),
  })
  .register(documented, {
    id: 'TransferQuote',
    examples: [
      {
        id: ids.quote,
        indicative: true,
        executable: false,
        source: eur('100.00'),
        target: { amount: '108.12', currency: 'USD' },
        rate: '1.0921',
        fee: eur('1.00'),
        rail: 'swift',
        estimated_arrival: '2026-11-22T17:00:00.000Z',
        expires_at: '2026-11-20T09:20:00.000Z',
      },
    ],
  })

export type TransferQuote = z.output<typeof transferQuote>

/** The body of `POST /v1/purchases/quotes`. */
export const createPurchaseQuoteBody = z
  .strictObject({
    service_id: id.describe('The service.'),
    product_id: text(1, 128).describe('The product of the service.'),
    quantity: z
      .int({ error: 'Send a whole number from 1 to 10000.' })
      .min(1, { error: 'Send a whole number from 1 to 10000.' })
      .max(10_000, { error: 'Send a whole number from 1 to 10000.' })
      .describe('The number of units.'),
    recipient: withoutControls(words(1, 200)).optional().describe('The recipient, in the form that the service uses.'),
  })
  .register(documented, { examples: [{ service_id: ids.service, product_id: 'topup-20', quantity: 1 }] })

/** The estimated cost of a purchase. */
export const purchaseQuote = z
  .strictObject({
    id: id.describe('The quote.'),
    ...indicative,
    service_id: id.describe('The service.'),
    product_id: z.string().describe('The product of the service.'),
    quantity: z.int32().min(1).describe('The number of units.'),
    total: money.describe('The total price.'),
    expires_at: dateTime.describe('The time at which the quote expires.'),
  })
  .register(documented, {
    id: 'PurchaseQuote',
    examples: [
      {
        id: ids.purchaseQuote,
        indicative: true,
        executable: false,
        service_id: ids.service,
        product_id: 'topup-20',
        quantity: 1,
        total: eur('20.00'),
        expires_at: '2026-11-20T09:20:00.000Z',
      },
    ],
  })

export type PurchaseQuote = z.output<typeof purchaseQuote>
