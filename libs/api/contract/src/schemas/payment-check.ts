/** Checks of payments before they are made. An extension of ours: a check drafts, reserves and stores nothing. */

import { z } from 'zod'
import { documented } from './documented.ts'
import { currency, decimal, extensible } from './primitives.ts'
import { problem } from './problem.ts'

const paymentLimit = z
  .strictObject({
    limit: extensible(
      z.enum([
        'grant_per_payment',
        'grant_per_day',
        'mandate_per_payment',
        'mandate_per_day',
        'mandate_per_week',
        'mandate_per_month',
        'mandate_total',
        'mandate_payments',
      ]),
    ).describe('The limit, and what it belongs to. `mandate_payments` counts payments, all others amounts.'),
    currency: currency.nullable().describe('The currency of the amounts; null for a count.'),
    maximum: decimal.describe('The limit itself.'),
    remaining: decimal.describe('The part of it that is left. Payments with an unknown outcome count as made.'),
    remaining_after: decimal
      .nullable()
      .describe('The part that this payment would leave; null if it does not fit, or is in another currency.'),
  })
  .register(documented, { id: 'PaymentLimit' })

export type PaymentLimit = z.output<typeof paymentLimit>

const paymentRefusal = problem
  .pick({ code: true, title: true, detail: true, fields: true, retryable: true })
  .register(documented, { id: 'PaymentRefusal' })

/** The decision on a payment, if it were sent now. */
export const paymentCheck = z
  .strictObject({
    refusal: paymentRefusal
      .nullable()
      .describe('The problem with which the payment would be refused; null if it would be accepted.'),
    confirmation_required: z
      .boolean()
      .describe(
        'True if the policy of the grant asks the owner to confirm this payment: create a confirmation intent.',
      ),
    limits: z
      .array(paymentLimit)
      .describe('Every limit of the grant and of the mandate that the payment is within or above.'),
  })
  .register(documented, {
    id: 'PaymentCheck',
    examples: [
      {
        refusal: {
          code: 'grant_ceiling_exceeded',
          title: 'A ceiling of the grant would be exceeded',
          detail: 'per_day: at most 200.00 EUR in a UTC day, of which 26.21 EUR remain.',
          fields: null,
          retryable: false,
        },
        confirmation_required: false,
        limits: [
          { limit: 'grant_per_day', currency: 'EUR', maximum: '200.00', remaining: '26.21', remaining_after: null },
        ],
      },
    ],
  })

export type PaymentCheck = z.output<typeof paymentCheck>
