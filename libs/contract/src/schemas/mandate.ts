/**
 * Mandates: delegated authority to pay one beneficiary, within caps. Caps may be written with a sign or an exponent, and are
 * shown canonically; they are in the currency of the beneficiary.
 */

import { z } from 'zod'
import { currency, dateTime, decimal, id, positiveAmount, positiveDecimal, text } from './primitives.ts'

const maxNames = 32
const names = (maxCharacters: number) =>
  z
    .array(text(1, maxCharacters))
    .max(maxNames, { error: `Send at most ${maxNames}.` })
    .refine((values) => new Set(values).size === values.length, { error: 'Send each once.' })

/** The five caps, from the tightest to the widest: none is above the next. */
export const mandateCaps = ['per_payment_max', 'daily_max', 'weekly_max', 'monthly_max', 'total_cap'] as const

/** The body of `POST /v1/mandates`. No mandate is unbounded: every cap is required. */
export const createMandateBody = z.strictObject({
  beneficiary_id: id,
  per_payment_max: positiveDecimal,
  daily_max: positiveDecimal,
  weekly_max: positiveDecimal,
  monthly_max: positiveDecimal,
  total_cap: positiveDecimal,
  payment_count: z
    .int({ error: 'Send a whole number from 1 to 10000.' })
    .min(1, { error: 'Send a whole number from 1 to 10000.' })
    .max(10_000, { error: 'Send a whole number from 1 to 10000.' }),
  expires_at: z.iso.datetime({ offset: true, error: 'Send a date and time with its offset (RFC 3339).' }),
  /** The calling client where it is left out. */
  authorized_clients: names(200).min(1, { error: 'Send at least one client, or leave it out.' }).optional(),
  /** None where it is left out: transfers then name no rule. */
  authorized_rules: names(80).optional(),
})

/** Every state in which a mandate is shown. */
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
  id,
  beneficiary_id: id,
  state: z.enum(mandateStates),
  currency,
  authorized_clients: z.array(z.string()),
  authorized_rules: z.array(z.string()),
  per_payment_max: decimal,
  daily_max: decimal,
  weekly_max: decimal,
  monthly_max: decimal,
  total_cap: decimal,
  payment_count: z.int().min(1),
  /** Of the UTC day, ISO week and month that it is now; what is uncertain counts as spent. */
  remaining: z.strictObject({
    daily: decimal,
    weekly: decimal,
    monthly: decimal,
    total: decimal,
    payments: z.int().min(0),
  }),
  expires_at: dateTime,
  operation_id: id,
  created_at: dateTime,
  updated_at: dateTime,
})

/** A mandate as its clients see it. */
export type Mandate = z.output<typeof mandate>

/** The body of `POST /v1/mandates/{mandate_id}/transfers`. */
export const createMandateTransferBody = z.strictObject({
  amount: positiveAmount,
  currency,
  reference: text(0, 140).optional(),
  /** One of the mandate's `authorized_rules`, where it has any. */
  rule: text(1, 80).optional(),
})
