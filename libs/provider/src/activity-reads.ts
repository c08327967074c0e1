/** What moved, as a provider lists it. Texts are the provider's own: they are cut and masked before anybody sees them. */

import type { Money } from './account-reads.ts'
import type { CallContext, SubmissionTarget } from './port.ts'

export type ProviderActivityItem = {
  /** The provider's own; never shown as it is. */
  readonly reference: string
  readonly source: 'account' | 'card' | 'spending'
  readonly direction: 'in' | 'out'
  /** Not below zero: `direction` says which way. */
  readonly amount: Money
  readonly status: 'pending' | 'posted' | 'reversed'
  readonly description: string
  readonly counterparty_name: string | null
  /** ISO 18245. */
  readonly merchant_category: string | null
  /** RFC 3339. */
  readonly occurred_at: string
}

export type ActivityQuery = CallContext & {
  /** RFC 3339; the first moment. */
  readonly from?: string | undefined
  /** RFC 3339; the first moment that is out again. */
  readonly to?: string | undefined
  readonly source?: ProviderActivityItem['source'] | undefined
  /** Of this card alone. */
  readonly card?: SubmissionTarget | undefined
  /** `nextCursor` of the page before; null: from the newest on. */
  readonly cursor: string | null
  /** How many are wanted; a page may hold fewer or more. */
  readonly limit: number
}

/** Leaves room in our own cursors, of at most 1,024 characters, for where in the provider's page one was. */
export const maxProviderCursorBytes = 300

/** Newest first. */
export type ActivityPage = {
  readonly items: readonly ProviderActivityItem[]
  /**
   * Opaque, at most `maxProviderCursorBytes`; null: that was all. May hold references of the provider, so it is never shown
   * as it is. Good for the query and the person that it came from; with another the read is not `ok`.
   */
  readonly nextCursor: string | null
}
