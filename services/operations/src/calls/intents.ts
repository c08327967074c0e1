/**
 * Intents for the owner's page. Only their owner finds them, the first decision holds, and a confirmation requires a
 * recent sign-in. To decline what was confirmed and not used takes it back.
 */

import {
  confirmationSignInMs,
  type DecideIntentAnswer,
  type DecideIntentRequest,
  type FindIntentRequest,
  type OwnerIntent,
} from '@financial-agents/bus/messages/intents'
import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Sealer } from '@financial-agents/runtime/sealing'
import { toOwnerIntent } from '../intents/intent-views.ts'
import { findIntent, recordDecision, statusOf } from '../store/confirmation-intents.ts'

/** The largest accepted difference between the clocks of two services. */
const skewMs = 60_000

export function createFindIntent(db: Database, clock: Clock, sealer: Pick<Sealer, 'open'>) {
  return async ({ intent_id, owner_id }: FindIntentRequest): Promise<OwnerIntent | null> => {
    const row = isUuid(intent_id) ? await findIntent(db, intent_id, owner_id) : undefined
    return row ? toOwnerIntent(row, sealer, clock.now()) : null
  }
}

export function createDecideIntent(db: Database, clock: Clock, sealer: Pick<Sealer, 'open'>) {
  return async (request: DecideIntentRequest): Promise<DecideIntentAnswer> => {
    const { intent_id: id, owner_id, decision } = request
    if (!isUuid(id)) return null
    const now = clock.now()
    const status = decision === 'confirm' ? 'confirmed' : 'declined'
    const authenticated_at = new Date(request.authenticated_at)
    const decided =
      decision === 'decline' || isFresh(authenticated_at, now)
        ? await recordDecision(db, { id, owner_id, status, authenticated_at }, now)
        : undefined
    const row = decided ?? (await findIntent(db, id, owner_id))
    if (!row) return null
    return { type: outcomeOf(statusOf(row, now), status), intent: toOwnerIntent(row, sealer, now) }
  }
}

function outcomeOf(found: OwnerIntent['status'], wanted: 'confirmed' | 'declined') {
  if (found === wanted) return 'decided'
  // Only the age of the sign-in can prevent the decision on an open intent.
  return found === 'pending' ? 'sign_in_again' : 'not_open'
}

function isFresh(authenticatedAt: Date, now: Date): boolean {
  const ageMs = now.getTime() - authenticatedAt.getTime()
  return ageMs <= confirmationSignInMs && ageMs >= -skewMs
}
