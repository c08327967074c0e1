/**
 * Mandates: delegated authority to pay one beneficiary within caps. Clients may send caps with a sign or an exponent;
 * responses show them in canonical form. Caps are in the beneficiary's currency, and no finer than its smallest unit.
 */

import { z } from 'zod'
import {
  currency,
  dateTime,
  decimal,
  id,
  inMinorUnits,
  positiveAmount,
  positiveDecimal,
  text,
  words,
} from './primitives.ts'

const maxNames = 32
const names = (maxCharacters: number) =>
  z
    .array(words(1, maxCharacters))
    .max(maxNames, { error: `Send at most ${maxNames}.` })
    .refine((values) => new Set(values).size === values.length, { error: 'Send each once.' })

/** The five caps, from the tightest to the widest. No cap may be above the next. */
export const mandateCaps = ['per_payment_max', 'daily_max', 'weekly_max', 'monthly_max', 'total_cap'] as const

/** The body of `POST /v1/mandates`. Every cap is required, so every mandate is bounded. */
export const createMandateBody = z.strictObject({
  beneficiary_id: id.describe('Whom it pays.'),
  per_payment_max: positiveDecimal.describe('The most at a time.'),
  daily_max: positiveDecimal.describe('The most in a day (UTC).'),
  weekly_max: positiveDecimal.describe('The most in an ISO week.'),
  monthly_max: positiveDecimal.describe('The most in a month.'),
  total_cap: positiveDecimal.describe('The most in all.'),
  payment_count: z
    .int({ error: 'Send a whole number from 1 to 10000.' })
    .min(1, { error: 'Send a whole number from 1 to 10000.' })
    .max(10_000, { error: 'Send a whole number from 1 to 10000.' })
    .describe('The most payments.'),
  expires_at: z.iso
    .datetime({ offset: true, error: 'Send a date and time with its offset (RFC 3339).' })
    .describe('When it ends: in the future, at most 365 days ahead.'),
  authorized_clients: names(200)
    .min(1, { error: 'Send at least one client, or leave it out.' })
    .optional()
    .describe(
      'Clients that are to pay under it, each by the grant that it holds when the owner confirms; the calling client where it is left out.',
    ),
  authorized_rules: names(80)
    .optional()
    .describe('Rules of which each transfer names one; where there are none, transfers name none.'),
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

/** A mandate as its clients see it. */
export const mandate = z.strictObject({
  id: id.describe('The mandate.'),
  beneficiary_id: id.describe('Whom it pays.'),
  state: z.enum(mandateStates).describe('What can be done with it now.'),
  currency: currency.describe("The beneficiary's, in which caps are."),
  authorized_clients: z
    .array(z.string())
    .describe('Clients that it names to pay under it; each does so by a grant that has authority under it.'),
  authorized_rules: z.array(z.string()).describe('Rules of which each transfer names one.'),
  per_payment_max: decimal.describe('The most at a time.'),
  daily_max: decimal.describe('The most in a day (UTC).'),
  weekly_max: decimal.describe('The most in an ISO week.'),
  monthly_max: decimal.describe('The most in a month.'),
  total_cap: decimal.describe('The most in all.'),
  payment_count: z.int().min(1).describe('The most payments.'),
  remaining: z
    .strictObject({
      daily: decimal.describe('Today.'),
      weekly: decimal.describe('This week.'),
      monthly: decimal.describe('This month.'),
      total: decimal.describe('In all.'),
      payments: z.int().min(0).describe('How many payments.'),
    })
    .describe('Of the UTC day, ISO week and month that it is now; what is uncertain counts as spent.'),
  expires_at: dateTime.describe('When it ends.'),
  operation_id: id.describe('The operation that made it.'),
  created_at: dateTime.describe('When it was asked for.'),
  updated_at: dateTime.describe('When it changed last.'),
})

/** A mandate as its clients see it. */
export type Mandate = z.output<typeof mandate>

/** The body of `POST /v1/mandates/{mandate_id}/transfers`. */
export const createMandateTransferBody = z
  .strictObject({
    amount: positiveAmount.describe('How much; no finer than the smallest unit of the currency.'),
    currency: currency.describe("The mandate's."),
    reference: text(0, 140).optional().describe('What the beneficiary reads.'),
    rule: words(1, 80).optional().describe("One of the mandate's `authorized_rules`, where it has any."),
  })
  .superRefine(inMinorUnits((body) => body))
