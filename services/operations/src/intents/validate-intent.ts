/**
 * Validates whether an intent confirms a request. Pure. An intent of another owner or client is reported as missing. Only
 * the grant whose request the intent is about learns the intent's status.
 *
 * Invariant: a confirmation ends with the connection that it was about. Once the owner has connected again, an open
 * intent confirms nothing.
 */

import type { ConfirmationProblem } from '@financial-agents/contract/problem-catalogue'
import { type IntentRow, statusOf } from '../store/confirmation-intents.ts'

export type ValidatedIntent = Pick<
  IntentRow,
  'owner_id' | 'client_id' | 'grant_id' | 'binding_id' | 'action' | 'request_hash' | 'status' | 'expires_at'
>

/** The request that named the intent, the action of that request, and the connection over which it goes. */
export type ConfirmedRequest = Pick<
  IntentRow,
  'owner_id' | 'client_id' | 'grant_id' | 'binding_id' | 'action' | 'request_hash'
>

const problemOf = {
  pending: 'confirmation_pending',
  declined: 'confirmation_declined',
  consumed: 'confirmation_already_used',
  expired: 'confirmation_expired',
  confirmed: null,
} as const

/**
 * Returns the reason why the intent does not confirm the request, or null if it does (decisions, "Confirmation
 * intents").
 */
export function validateIntent(
  intent: ValidatedIntent | undefined,
  request: ConfirmedRequest,
  now: Date,
): ConfirmationProblem | null {
  if (intent?.owner_id !== request.owner_id || intent.client_id !== request.client_id) return 'confirmation_required'
  const isAbout =
    intent.grant_id === request.grant_id &&
    intent.action === request.action &&
    intent.request_hash === request.request_hash
  if (!isAbout) return 'confirmation_mismatch'
  const status = statusOf(intent, now)
  const isOpen = status === 'pending' || status === 'confirmed'
  return isOpen && intent.binding_id !== request.binding_id ? 'confirmation_mismatch' : problemOf[status]
}
