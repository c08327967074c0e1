/**
 * Mandates: delegated authority to pay one beneficiary within limits. Clients may send limits with a sign or an exponent;
 * responses show them with the digits of their currency. Limits are in the beneficiary's currency, and no finer than its smallest unit.
 */

import { z } from 'zod'
import { writtenAmount } from '../minor-units.ts'
import { documented } from './documented.ts'
import {
  currency,
  dateTime,
  decimal,
  id,
  inMinorUnits,
  positiveAmount,
  positiveDecimal,
  text,
  timestampOr,
  withoutControls,
  words,
} from './primitives.ts'
import { clientId, ids, written } from './story.ts'

const maxNames = 32
const maxPayments = 10_000
const names = (name: z.ZodString) =>
  z
    .array(name)
    .max(maxNames, { error: `Send at most ${maxNames}.` })
    .refine((values) => new Set(values).size === values.length, { error: 'Send each once.' })
    .meta({ uniqueItems: true })

/** The five limits, from the tightest to the widest. No limit may be above the next. */
export const mandateCaps = ['per_payment_max', 'daily_max', 'weekly_max', 'monthly_max', 'total_cap'] as const

/** The body of `POST /v1/mandates`. Every limit is required, so every mandate is bounded. */
export const createMandateBody = z
  .strictObject({
    beneficiary_id: id.describe('The beneficiary of the payments.'),
    per_payment_max: positiveDecimal.describe('The maximum of one payment.'),
    daily_max: positiveDecimal.describe('The maximum in a UTC day.'),
    weekly_max: positiveDecimal.describe('The maximum in an ISO week.'),
    monthly_max: positiveDecimal.describe('The maximum in a month.'),
    total_cap: positiveDecimal.describe('The maximum in total.'),
    payment_count: z
      .int({ error: 'Send a whole number from 1 to 10000.' })
      .min(1, { error: 'Send a whole number from 1 to 10000.' })
      .max(maxPayments, { error: 'Send a whole number from 1 to 10000.' })
      .describe('The maximum number of payments.'),
    expires_at: timestampOr('Send a date and time with its offset (RFC 3339).').describe(
      'The end of the mandate: in the future, at most 365 days ahead.',
    ),
    authorized_clients: names(words(1, 200))
      .min(1, { error: 'Send at least one client, or leave it out.' })
      .optional()
      .describe(
        'The clients that may pay under the mandate, each by the grant that it has when the owner confirms. By default the calling client.',
      ),
    authorized_rules: names(withoutControls(words(1, 80)))
      .optional()
      .describe('Rules of which each transfer must name one. Without rules, transfers name none.'),
  })
  .register(documented, {
    examples: [
      {
        beneficiary_id: ids.beneficiary,
        per_payment_max: '900.00',
        daily_max: '900.00',
        weekly_max: '900.00',
        monthly_max: '1000.00',
        total_cap: '12000.00',
        payment_count: 12,
        expires_at: '2027-11-01T00:00:00Z',
        authorized_rules: ['monthly-rent'],
      },
    ],
  })

/** Every state of a mandate that clients can see. */
const mandateStates = [
  'pending',
  'active',
  'suspending',
  'suspended',
  'revoking',
  'revoked',
  'revocation_failed',
  'expired',
  'exhausted',
  'failed',
] as const

export const mandateState = z.enum(mandateStates).register(documented, { id: 'MandateState' })

const mandateRemaining = z
  .strictObject({
    daily: decimal.describe('The remaining daily cap.'),
    weekly: decimal.describe('The remaining weekly cap.'),
    monthly: decimal.describe('The remaining monthly cap.'),
    total: decimal.describe('The remaining total cap.'),
    payments: z.int().min(0).max(maxPayments).describe('The remaining number of payments.'),
  })
  .register(documented, { id: 'MandateRemaining' })

/** A mandate as its clients see it. */
export const mandate = z
  .strictObject({
    id: id.describe('The mandate.'),
    beneficiary_id: id.describe('The beneficiary of the payments.'),
    state: mandateState.describe('The state of the mandate.'),
    currency: currency.describe('The currency of the caps, which is that of the beneficiary.'),
    authorized_clients: z
      .array(z.string())
      .describe('The clients that the mandate names. Each pays under it by a grant with authority under the mandate.'),
    authorized_rules: z.array(z.string()).describe('Rules of which each transfer must name one.'),
    per_payment_max: decimal.describe('The maximum of one payment.'),
    daily_max: decimal.describe('The maximum in a UTC day.'),
    weekly_max: decimal.describe('The maximum in an ISO week.'),
    monthly_max: decimal.describe('The maximum in a month.'),
    total_cap: decimal.describe('The maximum in total.'),
    payment_count: z.int().min(1).max(maxPayments).describe('The maximum number of payments.'),
    remaining: mandateRemaining.describe(
      'The remaining caps of the current UTC day, ISO week and month. Amounts with an unknown outcome count as spent.',
    ),
    expires_at: dateTime.describe('The end of the mandate.'),
    operation_id: id.describe('The operation that creates the mandate.'),
    created_at: dateTime.describe('The time of the request.'),
    updated_at: dateTime.describe('The time of the last change.'),
  })
  .overwrite((shown) => {
    const { currency: inCurrency, remaining } = shown
    const written = (amount: string) => writtenAmount(amount, inCurrency)
    const { daily, weekly, monthly, total, payments } = remaining
    return {
      ...shown,
      ...(Object.fromEntries(mandateCaps.map((cap) => [cap, written(shown[cap])])) as Pick<
        typeof shown,
        (typeof mandateCaps)[number]
      >),
      remaining: {
        daily: written(daily),
        weekly: written(weekly),
        monthly: written(monthly),
        total: written(total),
        payments,
      },
    }
  })
  .register(documented, {
    id: 'Mandate',
    examples: [
      {
        id: ids.mandate,
        beneficiary_id: ids.beneficiary,
        state: 'active',
        currency: 'EUR',
        authorized_clients: [clientId],
        authorized_rules: ['monthly-rent'],
        per_payment_max: '900.00',
        daily_max: '900.00',
        weekly_max: '900.00',
        monthly_max: '1000.00',
        total_cap: '12000.00',
        payment_count: 12,
        remaining: { daily: '900.00', weekly: '900.00', monthly: '150.00', total: '11150.00', payments: 11 },
        expires_at: '2027-11-01T00:00:00.000Z',
        operation_id: ids.operation,
        ...written,
      },
    ],
  })

export type Mandate = z.output<typeof mandate>

/** The body of `POST /v1/mandates/{mandate_id}/transfers`. */
export const createMandateTransferBody = z
  .strictObject({
    amount: positiveAmount.describe('The amount; no finer than the smallest unit of the currency.'),
    currency: currency.describe('The currency of the mandate.'),
    reference: withoutControls(text(0, 140)).optional().describe('The reference that the beneficiary sees.'),
    rule: words(1, 80).optional().describe('One of the `authorized_rules` of the mandate, if it has any.'),
  })
  .superRefine(inMinorUnits((body) => body))
  .register(documented, {
    examples: [{ amount: '850.00', currency: 'EUR', reference: 'Rent November', rule: 'monthly-rent' }],
  })
