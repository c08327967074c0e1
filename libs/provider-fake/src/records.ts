/**
 * The fake provider's own words: the records it keeps of mutations, its refusals, its lists. Parsed here and nowhere
 * else; members that the adapter does not need are ignored, a missing or contradictory one is not.
 */

import type { Money } from '@financial-agents/provider/account-reads'
import type { ProviderFailureCode } from '@financial-agents/provider/port'
import { z } from 'zod'

/** As the provider writes amounts. */
export const FakeDecimal = z
  .string()
  .max(64)
  .regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)

export const FakeCurrency = z.string().regex(/^[A-Z]{3}$/)

/** In the API's words. */
export const FakeMoney = z
  .object({ value: FakeDecimal, ccy: FakeCurrency })
  .transform(({ value, ccy }): Money => ({ amount: value, currency: ccy }))

/** Whichever way of RFC 3339 it is written in, it becomes the API's: UTC, milliseconds, `Z`. */
export const FakeMoment = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString())

export const FakeNetwork = z
  .string()
  .max(128)
  .regex(/^[a-z0-9]+(?:[._-][a-z0-9]+)*$/)

/** A word of the provider's for why something failed. */
export const FailureReason = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/)

/** What the provider keeps of any mutation, whatever its kind. */
export const ProviderRecord = z.object({
  provider_ref: z.string().min(1).max(200),
  client_reference: z.string().min(1).max(200),
  status: z.enum(['pending', 'active', 'failed']),
  settled_at: z.iso.datetime().nullable(),
  failure_reason: FailureReason.nullable(),
  /** Of a card. */
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

/** Answer to a search by client reference. */
export const SearchAnswer = z.object({ results: z.array(ProviderRecord).max(100), more: z.boolean() })

/** Answer to a search by the reference of an action: what it was done to, and what was done. */
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
})

/** The provider's promise: a 4xx answer with this document means that it executed nothing. */
export const RefusalAnswer = z.object({
  error: z.object({ code: FailureReason }),
})

/** A page for a person's browser, asked for with a reference of ours. */
export const HostedPage = z.object({
  client_reference: z.string(),
  page_url: z.url({ protocol: /^https?$/ }).max(2_048),
  expires_at: z.iso.datetime(),
})

/** Our code for the reason that the provider gives for a definitive failure. */
export function failureCodeOf(reason: string | null): ProviderFailureCode {
  if (reason === 'identity_required') return 'provider_identity_required'
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
