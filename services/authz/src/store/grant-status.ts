/**
 * The end of a grant, and its suspension. One transaction contains the status, the fence for the submitter, the change
 * for the gateways, the audit, and for an ended grant the deletion of the library's artifacts.
 *
 * Invariants: every writer here runs in turn, so writers wait for each other and never deadlock. Ending an ended grant
 * does nothing. A client cannot end the suspension of its grant.
 */

import { clientNotRegistered, pausedByOwner } from '@financial-agents/owner-pages/grant-of-owner'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { hashId } from '@financial-agents/postgres/hash-id'
import { deleteArtifactsOfGrant } from './artifacts.ts'
import { type Actor, recordAudit } from './audit.ts'
import type { AuditEvent } from './audit-event.ts'
import { changeInTurn, recordChange } from './changes.ts'
import { recordFenceWanted } from './fences.ts'
import { suspendedByOperator } from './grants.ts'

/** Reasons that a client brings about. */
type ClientReason = 'revoked_by_client' | 'code_replayed'

export type RevocationReason =
  | 'revoked_by_owner'
  | 'not_connected_again'
  | 'replaced'
  | 'expired'
  | 'registration_changed'

export type Why<Reason extends string> = { reason: Reason; by: Actor; request_id: string | null }

/** The operator, the reason, which only operators read, and the words for the owner, if there are any. */
export type ByOperator = { operator: string; words: string; for_owner?: string | null }

type Move = Why<string> & { to: 'revoked' | 'suspended'; event: AuditEvent; byOperator?: ByOperator }

// An operator's suspension also replaces the owner's pause, and a suspension that the client's next declaration would undo.
const move = statement(
  'grants_move',
  `UPDATE grants SET status = $2, status_reason = $3, status_changed_at = $4, updated_at = $4,
     suspended_by = COALESCE($5, suspended_by), suspended_why = COALESCE($6, suspended_why),
     suspended_for_owner = CASE WHEN $5::text IS NULL THEN suspended_for_owner ELSE $7 END
   WHERE grant_id = $1 AND (status = 'active' OR (status = 'suspended'
     AND ($2 = 'revoked' OR ($5::text IS NOT NULL AND status_reason IN ('${clientNotRegistered}', '${pausedByOwner}')))))
   RETURNING grant_id, client_id, owner_id`,
)

const suspended = statement('grants_suspended', `SELECT 1 FROM grants WHERE grant_id = $1 AND status = 'suspended'`)

const expired = statement(
  'grants_expired',
  `SELECT grant_id FROM grants WHERE kind = 'human' AND status <> 'revoked' AND expires_at <= $1
   ORDER BY expires_at LIMIT $2`,
)

/** Ends a grant of any kind permanently. Returns false if it had ended or does not exist. */
export function revokeGrant(db: Database, grantId: string, why: Why<RevocationReason>, now: Date): Promise<boolean> {
  return changeInTurn(db, (tx) => revokeGrantWithin(tx, grantId, why, now))
}

/**
 * Ends a grant for its client. Returns false if it had ended, is suspended or does not exist. A suspended grant loses
 * only its artifacts and stays suspended, so the owner still reads who suspended it and why, and must sign in anew.
 */
export function revokeGrantForClient(
  db: Database,
  grantId: string,
  why: Why<ClientReason>,
  now: Date,
): Promise<boolean> {
  return changeInTurn(db, async (tx) => {
    const isSuspended = (await tx.rows(suspended, [grantId])).length === 1
    if (!isSuspended) return revokeGrantWithin(tx, grantId, why, now)
    await deleteArtifactsOfGrant(tx, hashId(grantId))
    return false
  })
}

/**
 * Suspends an active grant. Returns false if it is not active. Only a new sign-in and consent replaces a suspended
 * grant.
 */
export function suspendGrant(db: Database, grantId: string, why: Why<string>, now: Date): Promise<boolean> {
  return changeInTurn(db, (tx) => moveGrant(tx, grantId, { ...why, to: 'suspended', event: 'grant_suspended' }, now))
}

/**
 * Suspends a grant for an operator, within a `changeInTurn`. Returns false if the grant is not active, or if an
 * operator suspended it before.
 */
export function suspendGrantForOperator(
  tx: Queryable,
  grantId: string,
  by: ByOperator & { request_id: string | null },
  now: Date,
): Promise<boolean> {
  const { request_id, ...byOperator } = by
  const why = { reason: suspendedByOperator, by: 'operator', request_id } as const
  return moveGrant(tx, grantId, { ...why, to: 'suspended', event: 'grant_suspended', byOperator }, now)
}

/** Does the same as `revokeGrant`, within a `changeInTurn`. */
export async function revokeGrantWithin(
  tx: Queryable,
  grantId: string,
  why: Why<RevocationReason | ClientReason>,
  now: Date,
): Promise<boolean> {
  const event = why.reason === 'expired' ? 'grant_expired' : 'grant_revoked'
  const ended = await moveGrant(tx, grantId, { ...why, to: 'revoked', event }, now)
  if (ended) await deleteArtifactsOfGrant(tx, hashId(grantId))
  return ended
}

/** Ends at most `limit` expired human grants. Returns true if more may be waiting. */
export async function expireGrants(db: Database, now: Date, limit: number): Promise<boolean> {
  const due = await db.rows<{ grant_id: string }>(expired, [now, limit])
  if (due.length === 0) return false
  await changeInTurn(db, async (tx) => {
    // The rows are read again, because one of them may have been extended or replaced before this turn.
    for (const { grant_id } of await tx.rows<{ grant_id: string }>(expired, [now, limit]))
      await revokeGrantWithin(tx, grant_id, { reason: 'expired', by: 'system', request_id: null }, now)
  })
  return due.length === limit
}

async function moveGrant(tx: Queryable, grantId: string, given: Move, now: Date): Promise<boolean> {
  const { to, event, byOperator, ...why } = given
  const { operator = null, words = null, for_owner = null } = byOperator ?? {}
  const values = [grantId, to, why.reason, now, operator, words, for_owner]
  const [row] = await tx.rows<{ grant_id: string; client_id: string; owner_id: string }>(move, values)
  if (!row) return false
  // The id as the row has it. A caller may have written it in capital letters, and the submitter compares text.
  const { grant_id } = row
  await recordFenceWanted(tx, { target: 'grant', target_id: grant_id, fenced: true, reason: event })
  await recordChange(tx, { grant_id }, now)
  const { reason, by, request_id } = why
  await recordAudit(tx, [{ at: now, event, ...row, actor: by, request_id, detail: { reason, ...byOperator } }])
  return true
}
