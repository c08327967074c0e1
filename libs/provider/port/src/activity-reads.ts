/** The port's read of movements. Texts are the provider's own; they are cut and masked before anybody sees them. */

import type { Money } from './account-reads.ts'
import type { CallContext, SubmissionTarget } from './port.ts'

export type ProviderActivityItem = {
  /** The provider's own reference; never shown as it is. */
  readonly reference: string
  readonly source: 'account' | 'card' | 'spending'
  readonly direction: 'in' | 'out'
  /** The amount, never negative: `direction` gives the sign. */
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
  /** RFC 3339, inclusive. */
  readonly from?: string | undefined
  /** RFC 3339, exclusive. */
  readonly to?: string | undefined
  readonly source?: ProviderActivityItem['source'] | undefined
  /** Movements of this card alone. */
  readonly card?: SubmissionTarget | undefined
  /** `nextCursor` of the page before; null for the newest page. */
  readonly cursor: string | null
  /** The number of wanted items; a page may hold fewer or more. */
  readonly limit: number
}

/** Bound of a provider's cursor. Our own cursors have at most 1,024 characters, and also hold the place within its page. */
export const maxProviderCursorBytes = 300

/** Newest first. */
export type ActivityPage = {
  readonly items: readonly ProviderActivityItem[]
  /**
   * Opaque, at most `maxProviderCursorBytes`; null after the last page. It may hold references of the provider, so it is never
   * shown as it is. It is valid for the query and the person that it came from; with another one the read is not `ok`.
   */
  readonly nextCursor: string | null
}
