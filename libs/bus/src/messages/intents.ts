/**
 * Confirmation intents as the page of the owner needs them: what a client asks the owner to confirm, and the decision.
 * Only the owner's own intents are found; anybody else's do not exist.
 */

import type { ConfirmationFact, ConfirmationIntent } from '@financial-agents/contract/schemas/confirmation-intent'

/** How old the owner's sign-in may be where an intent is confirmed. */
export const confirmationSignInMs = 300_000

/** `owner_id`: who is signed in. */
export type FindIntentRequest = { intent_id: string; owner_id: string }

/** An intent as its owner reads it. */
export type OwnerIntent = {
  intent_id: string
  client_id: string
  action: ConfirmationIntent['action']
  status: ConfirmationIntent['status']
  /** What it does, in words of ours that name nobody. */
  opening: string
  /** What the client was told, and the names of the other applications. */
  facts: ConfirmationFact[]
  created_at: string
  expires_at: string
  /** When the owner confirmed or declined; null before that. */
  decided_at: string | null
}

/** What the owner who is signed in decided. */
export type DecideIntentRequest = {
  intent_id: string
  owner_id: string
  decision: 'confirm' | 'decline'
  /** When the owner signed in, RFC 3339; a confirmation asks for one within `confirmationSignInMs`. */
  authenticated_at: string
}

/**
 * `decided`: as asked, now or before (the same decision again changes nothing). `not_open`: the status says why: it was
 * decided otherwise, consumed or has expired. `sign_in_again`: the sign-in is too old; nothing was changed.
 */
export type DecideIntentAnswer = { type: 'decided' | 'not_open' | 'sign_in_again'; intent: OwnerIntent } | null
