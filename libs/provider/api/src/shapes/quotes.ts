/** Estimates, offers and orders. */

import { z } from 'zod'
import { currency, decimal, money, network, positiveDecimal, providerReference, timestamp } from './primitives.ts'

export const newTransferEstimate = z
  .object({
    from_ccy: currency.describe('The currency that the person pays in.'),
    to_ccy: currency.describe('The currency that arrives.'),
    value: positiveDecimal.describe('The amount of the fixed side.'),
    fixed: z.enum(['from', 'to']).describe('The side that `value` fixes.'),
    payee_ref: providerReference.nullable().describe('The payee, if there is one already.'),
  })
  .describe('A transfer to be estimated.')

const good_until = timestamp.describe('The estimate is shown until this time. It reserves nothing.')

function notOffered<const Members extends readonly [string, ...string[]]>(members: Members) {
  return z
    .object({ not_offered: z.enum(members).describe('The member of the request that does not fit.') })
    .describe('There is no estimate for this request.')
}

export const transferEstimate = z
  .union([
    notOffered(['from_ccy', 'to_ccy', 'value', 'payee_ref']),
    z
      .object({
        estimate: z.object({
          give: money.describe('The amount that the person pays, without the charge. In `from_ccy`.'),
          receive: money.describe('The amount that arrives. In `to_ccy`.'),
          rate: decimal.describe('The value of one unit of `give` in the currency of `receive`.'),
          charge: money.describe('The charge in addition to `give`.'),
          network,
          arrives_at: timestamp.nullable().describe('The time at which it would arrive.'),
          good_until,
        }),
      })
      .describe('An estimate. The fixed side equals the request.'),
  ])
  .describe('An estimate, or the member that does not fit.')

export const newPurchaseEstimate = z
  .object({
    offer_ref: providerReference.describe('An offer of `GET /offers`.'),
    sku: z.string().min(1).max(128).describe('One of its `skus`.'),
    quantity: z.int().min(1).max(10_000).describe('The number of units.'),
    recipient: z.string().min(1).max(400).nullable().describe('The recipient, if the offer is for somebody.'),
  })
  .describe('A purchase to be estimated.')

export const purchaseEstimate = z
  .union([
    notOffered(['offer_ref', 'sku', 'quantity', 'recipient']),
    z
      .object({
        estimate: z.object({
          estimate_ref: providerReference.describe('A different reference for each estimate.'),
          total: money,
          good_until,
        }),
      })
      .describe('An estimate.'),
  ])
  .describe('An estimate, or the member that does not fit.')

export const offers = z
  .object({
    offers: z
      .array(
        z.object({
          offer_ref: providerReference,
          title: z.string().min(1).max(200).describe('The name of the offer.'),
          line: z
            .string()
            .regex(/^[a-z][a-z0-9_]{0,63}$/)
            .describe('The line of products.'),
          guide_url: z
            .url({ protocol: /^https$/ })
            .max(2_048)
            .nullable()
            .describe('A page about the offer.'),
          skus: z.array(z.string().min(1).max(128)).min(1).max(1_000).describe('Its products, each named once.'),
        }),
      )
      .max(1_000)
      .describe('All offers.'),
  })
  .describe('The offers for sale.')

export const orders = z
  .object({
    orders: z
      .array(
        z.object({
          order_ref: providerReference,
          estimate_ref: providerReference,
          offer_ref: providerReference,
          stage: z.enum(['released', 'delivered', 'money_back']).describe('The stage of the order.'),
          total: money,
          released_at: timestamp.describe('The time of the payment. Orders are sorted by it, newest first.'),
          changed_at: timestamp.describe('The time of the last change of the stage; not before `released_at`.'),
        }),
      )
      .max(1_000)
      .describe('All orders, newest first.'),
  })
  .describe('The orders of the person.')
