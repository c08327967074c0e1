/**
 * Shapes of the fake provider's own words: amounts, times, the records of mutations, refusals, hosted pages. Members that the
 * adapter does not need are ignored. A missing or malformed one is not.
 */

import type { Money } from '@financial-agents/provider/account-reads'
import type { ProviderFailureCode } from '@financial-agents/provider/port'
import { z } from 'zod'

/** A decimal as the provider writes it. */
export const FakeDecimal = z
  .string()
  .max(64)
  .regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)

export const FakeCurrency = z.string().regex(/^[A-Z]{3}$/)

/** The provider's amount, converted to the API's form. */
export const FakeMoney = z
  .object({ value: FakeDecimal, ccy: FakeCurrency })
  .transform(({ value, ccy }): Money => ({ amount: value, currency: ccy }))

/** An RFC 3339 time, converted to the API's form: UTC, milliseconds, `Z`. */
export const FakeMoment = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString())

export const FakeNetwork = z
  .string()
  .max(128)
  .regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/)

/** The provider's word for the reason of a failure. */
export const FailureReason = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)

/** The provider's record of a mutation of any kind. */
export const ProviderRecord = z.object({
  provider_ref: z.string().min(1).max(200),
  client_reference: z.string().min(1).max(200),
  status: z.enum(['pending', 'active', 'failed']),
  settled_at: z.iso.datetime().nullable(),
  failure_reason: FailureReason.nullable(),
  /** Only for cards, as is `number_tail`. */
  brand: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,31}$/)
    .optional(),
  number_tail: z
    .string()
    .regex(/^\d{4}$/)
    .optional(),
})

export type ProviderRecord = z.infer<typeof ProviderRecord>

/** Answer to a mutation. */
export const MutationAnswer = z.object({ result: ProviderRecord })

/** The provider's clock while it searched. Absent if the provider does not refuse mutations after their deadline. */
const AsOf = z.iso.datetime().optional()

/** Answer to a search by client reference. */
export const SearchAnswer = z.object({ results: z.array(ProviderRecord).max(100), more: z.boolean(), as_of: AsOf })

/** Answer to a search by the reference of an action: the changed resources and their actions. */
export const ActionSearchAnswer = z.object({
  results: z
    .array(
      z.object({
        provider_ref: z.string().min(1).max(200),
        state: z.string().regex(/^[a-z][a-z_]{0,31}$/),
        actions: z.array(ProviderRecord).max(100),
      }),
    )
    .max(100),
  more: z.boolean(),
  as_of: AsOf,
})

/** The provider's promise: a 4xx answer with this document means that it executed nothing. */
export const RefusalAnswer = z.object({
  error: z.object({ code: FailureReason }),
})

/** A page for a person's browser, started with our reference. */
export const HostedPage = z.object({
  client_reference: z.string(),
  page_url: z.url({ protocol: /^https?$/ }).max(2_048),
  expires_at: z.iso.datetime(),
})

/** Our code for the reason that the provider gives for a definitive failure. */
export function failureCodeOf(reason: string | null): ProviderFailureCode {
  if (reason === 'identity_required') return 'provider_identity_required'
  if (reason === 'submission_expired') return 'submission_expired'
  return reason !== null && detailReasons.has(reason) ? 'provider_rejected_details' : 'provider_refused'
}

const detailReasons: ReadonlySet<string> = new Set([
  'account_closed',
  'amount_too_fine',
  'currency_not_offered',
  'ends_in_the_past',
  'form_not_offered',
  'invalid_destination',
  'invalid_request',
  'name_mismatch',
  'note_length',
  'over_limit',
  'under_limit',
  'unknown_payee',
  'unknown_purpose',
  'unknown_scheme',
  'wrong_currency',
])
