/**
 * Confirmation intents for the owner's page: the request that a client asks the owner to confirm, and the owner's decision.
 * Only the owner of an intent can find it. For anybody else, the intent does not exist.
 */

import type { ConfirmationFact, ConfirmationIntent } from '@financial-agents/contract/schemas/confirmation-intent'

/** The maximum age of the owner's sign-in when the owner confirms an intent. */
export const confirmationSignInMs = 300_000

/** `owner_id`: the owner who is signed in. */
export type FindIntentRequest = { intent_id: string; owner_id: string }

/** The pages have each label in every language. */
export type FactLabel =
  | 'A day'
  | 'A month'
  | 'A week'
  | 'Account of the payee'
  | 'Added'
  | 'Amount'
  | 'At most lost in all'
  | 'Each payment'
  | 'Each payment follows one of the rules'
  | 'In all'
  | 'Left of it'
  | 'Loses the connection'
  | 'Memo'
  | 'Name checked'
  | 'Named by'
  | 'Paid by'
  | 'Payee'
  | 'Payments left'
  | 'Purpose'
  | 'Rules'
  | 'Until'

/**
 * The data of a value that is our own text. A page says it in another language only if its English words are exactly
 * the value that was confirmed.
 */
export type FactData =
  | { type: 'amount' | 'at_most'; amount: string; currency: string }
  | { type: 'at_most_in'; amount: string; currency: string; payments: number }
  | { type: 'left_of'; amount: string; whole: string; currency: string }
  | { type: 'count'; count: number }
  | { type: 'none' | 'unchecked' }
  | { type: 'account'; details: (readonly [name: string, last: string])[]; country: string }

/**
 * A fact as the owner reads it. `at`: the time that the value names, RFC 3339, if the value is a time. `data`: the same
 * value as data, if it is our own text.
 */
export type OwnerFact = ConfirmationFact & { at?: string; data?: FactData }

export type OwnerIntent = {
  intent_id: string
  client_id: string
  grant_id: string
  action: ConfirmationIntent['action']
  status: ConfirmationIntent['status']
  /** The effect of the request, in our own words, which contain no names. */
  opening: string
  /** The facts that the client was given, and the names of the other applications. */
  facts: OwnerFact[]
  created_at: string
  expires_at: string
  /** The operation that used the confirmation; null before that. */
  operation_id: string | null
  /** The time of the owner's decision; null before it. */
  decided_at: string | null
}

/** The decision of the owner who is signed in. */
export type DecideIntentRequest = {
  intent_id: string
  owner_id: string
  /** `decline` also takes back a confirmation that no operation has consumed. */
  decision: 'confirm' | 'decline'
  /** The time of the owner's sign-in, RFC 3339. A confirmation requires a sign-in within `confirmationSignInMs`. */
  authenticated_at: string
}

/**
 * `decided`: the decision holds, now or since an earlier call; repeating a decision changes nothing. `not_open`: the intent was
 * decided otherwise, was consumed or has expired; its status says which. `sign_in_again`: the sign-in is too old, and nothing was
 * changed. Null: the owner has no such intent.
 */
export type DecideIntentAnswer = { type: 'decided' | 'not_open' | 'sign_in_again'; intent: OwnerIntent } | null
