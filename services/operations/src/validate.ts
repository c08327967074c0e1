/**
 * The idempotency contract as pure functions over the rows that were read. Expiry is validated before the requests are
 * compared.
 *
 * Invariant (write protocol, rule 12): a result that refuses means that nothing was and nothing will be accepted under
 * the offered id. If the offered id did become an operation, a refusal is a problem and not a result, so that the area
 * keeps its draft.
 */

import type { Refusal } from '@financial-agents/bus/messages/operations'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import type { Offer } from './offer.ts'
import type { DecisionRow } from './store/decisions.ts'
import type { KeyRow } from './store/keys.ts'
import type { ViewRow } from './tables.ts'

export type KeyDecision =
  | { type: 'new' }
  | { type: 'replayed'; operation: ViewRow }
  | { type: 'conflict' }
  | { type: 'expired' }

export type Decision =
  | { type: 'accepted'; operation: ViewRow }
  | Exclude<KeyDecision, { type: 'new' }>
  | ({ type: 'refused' } & Refusal)
  | { type: 'void' }
  | { type: 'problem'; code: ProblemCode; cause?: string }

/**
 * `rivals`: the earlier offers of the batch that may be the cause of the refusal. The refusal holds only if all of them
 * are accepted.
 */
export type Refused = { refusal: Refusal; rivals: readonly Offer[] }

/** Validates a request by the record of its key (contract, "Idempotency contract", 1, 3, 4). */
export function validateKey(requestHash: string, found: KeyRow | undefined, now: Date): KeyDecision {
  if (!found) return { type: 'new' }
  if (found.expires_at <= now) return { type: 'expired' }
  if (found.request_hash !== requestHash) return { type: 'conflict' }
  return { type: 'replayed', operation: found }
}

/** True if the key leads to the offered operation itself. Nothing is left to decide then. */
export function isOwn(offer: Offer, validated: KeyDecision): validated is { type: 'replayed'; operation: KeyRow } {
  return validated.type === 'replayed' && validated.operation.id === offer.request.operation_id
}

/**
 * The records of an offer whose id had been decided before. `refusal` is the offer's own refusal by its confirmation or
 * limit.
 */
type Decided = { key: KeyRow | undefined; decision: DecisionRow; refusal: Refusal | undefined }

/** Validates an offer whose id had been decided before. */
export function validateDecided(offer: Offer, { key: found, decision, refusal }: Decided, now: Date): Decision {
  const validated = validateKey(offer.request.request_hash, found, now)
  if (!decision.accepted) {
    if (validated.type !== 'new') return validated
    return refusal ? { type: 'refused', ...refusal } : { type: 'void' }
  }
  if (decision.offer_id === offer.offer_id) return { type: 'accepted', operation: decision }
  const elsewhere = found !== undefined && found.id !== decision.id
  if (elsewhere || !isEqual(offer, decision))
    return { type: 'problem', code: 'internal_error', cause: 'an operation id was offered for two requests' }
  if (validated.type === 'expired') return { type: 'problem', code: 'idempotency_key_expired' }
  return { type: 'replayed', operation: decision }
}

function isEqual({ owner_id, client_id, request }: Offer, decision: DecisionRow): boolean {
  return (
    decision.request_hash === request.request_hash && decision.owner_id === owner_id && decision.client_id === client_id
  )
}
