/**
 * An offer: one request to accept, on its way through a batch. Its own token (`offer_id`) tells it apart from another
 * offer of the same operation id. Two equal requests that joined one draft make such offers.
 */

import { randomUUID } from 'node:crypto'
import type { AcceptRequest } from '@financial-agents/bus/messages/operations'
import { isOperationKind, isPaymentKind, kindFacts } from '@financial-agents/contract/kinds'
import { Problem } from '@financial-agents/contract/problem'

/** The identity of an idempotency record (decisions §5). */
export type KeyIdentity = { owner_id: string; client_id: string; route: string; key: string }

export type Offer = KeyIdentity & {
  offer_id: string
  request: AcceptRequest
  binding_id: string
  /** Nothing may be sent under the grant or the mandate from this time on; null if neither ends by time. */
  authority_ends_at: string | null
  /** The key identity as a string. Offers of one key go into successive batches. */
  target: string
  /** Deadline by the monotonic clock. The caller no longer waits after it, so nothing is started for the offer. */
  deadlineMs: number
}

/** @param timeoutMs the caller's time-out; 0 if the caller gives none */
export function makeOffer(request: AcceptRequest, timeoutMs: number): Offer {
  const { owner_id, client_id, binding_id } = request.principal
  if (binding_id === null) throw new Problem('provider_connection_unavailable')
  if (!isOperationKind(request.kind)) throw new Error('an operation of an unlisted kind was offered')
  if (isPaymentKind(request.kind) !== Boolean(request.payment))
    throw new Error('a payment is what a kind that pays is offered with')
  return {
    offer_id: randomUUID(),
    request,
    owner_id,
    client_id,
    route: request.route,
    key: request.key,
    binding_id,
    authority_ends_at: authorityEndOf(request),
    target: JSON.stringify([owner_id, client_id, request.route, request.key]),
    deadlineMs: timeoutMs > 0 ? performance.now() + timeoutMs : Number.POSITIVE_INFINITY,
  }
}

/** The earlier end of grant and mandate. What only takes authority away outlives its grant (write protocol, rule 8). */
function authorityEndOf({ kind, principal, mandate_ends_at }: AcceptRequest): string | null {
  const grantEndsAt = kindFacts[kind].passesFences.includes('grant') ? null : principal.grant_ends_at
  const ends = [grantEndsAt, mandate_ends_at].filter((end) => end !== null && end !== undefined)
  return ends.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null
}
