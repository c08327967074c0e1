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

export const SchemeList = z.object({
  schemes: z.array(
    z.object({
      scheme_id: z.string().min(1).max(100),
      title: z.string().min(1),
      country_code: z.string().length(2),
      currency_code: FakeCurrency,
      network: FakeNetwork,
      inputs: z.array(
        z.object({
          name: z.string().min(1).max(100),
          caption: z.string().min(1),
          kind: z.enum(['text', 'choice']),
          regex: z.string().max(512).nullable(),
          min: z.int().nonnegative().nullable(),
          max: z.int().positive().nullable(),
          choices: z.array(z.string().min(1)).nullable(),
          mandatory: z.boolean(),
        }),
      ),
      sample: z.record(z.string(), z.string()),
    }),
  ),
})

export const CountryList = z.object({
  countries: z
    .array(
      z.object({
        iso2: z.string().regex(/^[A-Z]{2}$/),
        iso3: z.string().regex(/^[A-Z]{3}$/),
        display_name: z.string().min(1),
      }),
    )
    .max(300),
})

/** A page for a person's browser, asked for with a reference of ours. */
export const HostedPage = z.object({
  client_reference: z.string(),
  page_url: z.url({ protocol: /^https?$/ }).max(2_048),
  expires_at: z.iso.datetime(),
})

/** Answer to the start of a device authentication. */
export const DeviceAuthenticationStarted = z.object({
  device_authentication: HostedPage.extend({ authentication_ref: z.string().regex(/^[A-Za-z0-9_-]{1,200}$/) }),
})

const Customer = z.object({
  customer_ref: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  full_name: z
    .string()
    .regex(/^\P{Cc}{1,200}$/u)
    .nullable(),
  locale: z.string().max(100).refine(isLocale),
  time_zone: z.string().max(100).refine(isTimezone),
})

/** Answer to a read of a device authentication. */
export const DeviceAuthenticationResult = z.object({
  device_authentication: z.discriminatedUnion('status', [
    z.object({ status: z.enum(['waiting', 'declined', 'expired']) }),
    z.object({
      status: z.literal('approved'),
      credentials: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
      customer: Customer,
    }),
  ]),
})

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

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

/** Parses JSON and checks its shape; undefined where either fails. */
export function findShape<Shape extends z.ZodType>(shape: Shape, text: string): z.infer<Shape> | undefined {
  const read = readShape(shape, text)
  return read.type === 'ok' ? read.data : undefined
}

/** The same, and where it fails: names of members and places in lists, never what was there. */
export function readShape<Shape extends z.ZodType>(
  shape: Shape,
  text: string,
): { readonly type: 'ok'; readonly data: z.infer<Shape> } | { readonly type: 'broken'; readonly where: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { type: 'broken', where: 'no JSON' }
  }
  const parsed = shape.safeParse(value)
  if (parsed.success) return { type: 'ok', data: parsed.data }
  const path = (parsed.error.issues[0]?.path ?? []).map((part) => (isName(part) ? String(part) : '?'))
  return { type: 'broken', where: path.length === 0 ? 'as a whole' : path.join('.') }
}

/** A key may be the provider's own where it answers with a map: then it is a value. */
function isName(part: PropertyKey): boolean {
  return typeof part === 'number' || (typeof part === 'string' && /^[a-z][a-z_0-9]{0,31}$/.test(part))
}
