/**
 * The port's part about visits to a page of the provider that decide nothing about an operation: the reveal of a card's
 * number, and the check of a person's identity. The content of the page never passes through the port.
 */

import type { CallContext, ProviderFailureCode, SubmissionTarget } from './call.ts'

export type CardRevealRequest = CallContext & {
  /** Our own reference. The same reference gives the same session again. */
  readonly reference: string
  readonly card: SubmissionTarget
}

export type IdentityCheckRequest = CallContext & {
  /** Our own reference. The same reference gives the same session again. */
  readonly reference: string
  /** The hosted page sends the browser to this address afterwards, with nothing added. Null: nowhere. */
  readonly returnUrl: string | null
}

export type StartedHostedSession =
  | {
      readonly type: 'started'
      /** The provider's own reference. */
      readonly session: string
      /**
       * Goes to the owner's client alone and into no log. The client has this address before the owner does. A page that shows a
       * card's number must therefore ask the person to sign in first, show the number once, and show nothing of the card to a
       * plain request.
       */
      readonly hostedUrl: string
      readonly expiresAt: Date
    }
  /** Definitive for now: the provider refuses the page for this card or this person. */
  | { readonly type: 'refused'; readonly failureCode: ProviderFailureCode; readonly failureDetail: string }
  | { readonly type: 'unavailable'; readonly reason: ProviderFailureCode }
