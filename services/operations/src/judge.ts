/**
 * The idempotency contract as pure functions over what was read. Expiry is judged before the requests are compared.
 *
 * Invariant (write protocol, rule 12): a verdict that refuses says that nothing was and nothing will be accepted under
 * the offered id. Where the offered id did become an operation, a refusal is a problem and not a verdict, so that the
 * area leaves its draft alone.
 */

import type { Refusal } from '@financial-agents/bus/messages/operations'
import type { ProblemCode } from '@financial-agents/contract/problem-catalogue'
import type { Offer } from './offer.ts'
import type { DecisionRow } from './store/decisions.ts'
import type { KeyRow } from './store/keys.ts'
import type { ViewRow } from './tables.ts'

export type KeyJudgement =
  | { type: 'new' }
  | { type: 'replayed'; operation: ViewRow }
  | { type: 'conflict' }
  | { type: 'expired' }

export type Judgement =
  | { type: 'accepted'; operation: ViewRow }
  | Exclude<KeyJudgement, { type: 'new' }>
  | ({ type: 'refused' } & Refusal)
  | { type: 'void' }
  | { type: 'problem'; code: ProblemCode; cause?: string }

/** `rivals`: the offers before it in the batch without which it might not be refused. They have to be accepted, then. */
export type Refused = { refusal: Refusal; rivals: readonly Offer[] }

/** What the key says of a request (contract, "Idempotency contract", 1, 3, 4). */
export function judgeKey(requestHash: string, found: KeyRow | undefined, now: Date): KeyJudgement {
  if (!found) return { type: 'new' }
  if (found.expires_at <= now) return { type: 'expired' }
  if (found.request_hash !== requestHash) return { type: 'conflict' }
  return { type: 'replayed', operation: found }
}

/** True where the key leads to the very operation offered: nothing is left to decide. */
export function isOwn(offer: Offer, judged: KeyJudgement): judged is { type: 'replayed'; operation: KeyRow } {
  return judged.type === 'replayed' && judged.operation.id === offer.request.operation_id
}

/** What is there of an offer whose id had been decided before; `refusal` is what its own confirmation or ceiling refuses it with. */
type Decided = { key: KeyRow | undefined; decision: DecisionRow; refusal: Refusal | undefined }

/** The judgement on an offer whose id had been decided before. */
export function judgeDecided(offer: Offer, { key: found, decision, refusal }: Decided, now: Date): Judgement {
  const judged = judgeKey(offer.request.request_hash, found, now)
  if (!decision.accepted) {
    if (judged.type !== 'new') return judged
    return refusal ? { type: 'refused', ...refusal } : { type: 'void' }
  }
  if (decision.offer_id === offer.offer_id) return { type: 'accepted', operation: decision }
  const elsewhere = found !== undefined && found.id !== decision.id
  if (elsewhere || !isEqual(offer, decision))
    return { type: 'problem', code: 'internal_error', cause: 'an operation id was offered for two requests' }
  if (judged.type === 'expired') return { type: 'problem', code: 'idempotency_key_expired' }
  return { type: 'replayed', operation: decision }
}

function isEqual({ owner_id, client_id, request }: Offer, decision: DecisionRow): boolean {
  return (
    decision.request_hash === request.request_hash && decision.owner_id === owner_id && decision.client_id === client_id
  )
}
