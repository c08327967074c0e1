/**
 * The port's part about visits to a page of the provider that decide nothing about an operation: the look at a card's
 * number, the check of who somebody is. What the page shows never passes through here.
 */

import type { CallContext, ProviderFailureCode, SubmissionTarget } from './port.ts'

export type CardRevealRequest = CallContext & {
  /** Ours: the same again gives the same session. */
  readonly reference: string
  readonly card: SubmissionTarget
}

export type IdentityCheckRequest = CallContext & {
  /** Ours: the same again gives the same session. */
  readonly reference: string
  /** Where the hosted page sends the browser afterwards, with nothing added; null: nowhere. */
  readonly returnUrl: string | null
}

export type StartedHostedSession =
  | {
      readonly type: 'started'
      /** The provider's own reference. */
      readonly session: string
      /**
       * It goes to the owner's client alone and into no log. The client has it before the owner does: a page that shows a card's
       * number must ask its person to sign in first, show the number once, and show nothing of the card to a plain request.
       */
      readonly hostedUrl: string
      readonly expiresAt: Date
    }
  /** Definitive: not for this card or this person, as things stand. */
  | { readonly type: 'refused'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }
