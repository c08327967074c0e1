/** Words of the Provider API in the port's words: amounts, times, reasons. */

import type { Money as WireMoney } from '@financial-agents/provider-api/shapes/primitives'
import { detailReasons } from '@financial-agents/provider-api/shapes/records'
import type { Money } from '@financial-agents/provider-port/account-reads'
import type { ProviderFailureCode } from '@financial-agents/provider-port/port'

/** A provider's amount in the API's form. */
export function moneyOf({ value, ccy }: WireMoney): Money {
  return { amount: value, currency: ccy }
}

/** A provider's time in the API's form: UTC, milliseconds, `Z`. */
export function timestampOf(text: string): string {
  return new Date(text).toISOString()
}

/** The same for a time that may be missing. */
export function findTimestamp(text: string | null): string | null {
  return text === null ? null : timestampOf(text)
}

const aboutDetails: ReadonlySet<string> = new Set(detailReasons)

/** Our code for the reason that the provider gives for a definitive failure. */
export function failureCodeOf(reason: string | null): ProviderFailureCode {
  if (reason === 'identity_required') return 'provider_identity_required'
  if (reason === 'submission_expired') return 'submission_expired'
  return reason !== null && aboutDetails.has(reason) ? 'provider_rejected_details' : 'provider_refused'
}
