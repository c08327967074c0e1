/**
 * What the submitter must fence or unfence, kept until it has confirmed (write protocol, rules 3 and 8).
 *
 * Invariant: each change of what is wanted counts up in the row of its target, and the count goes along with the request.
 * The submitter obeys the highest count, so requests may be repeated and overtake each other.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

export type FenceTarget = 'grant' | 'client'
export type Fence = {
  target: FenceTarget
  target_id: string
  fenced: boolean
  reason: string
  version: number
}

/** Why the fence of a grant is wanted that ended by the will of its owner or its client. */
export const revokedGrant = 'grant_revoked'

const want = statement(
  'fences_want',
  `INSERT INTO fences AS f (target, target_id, fenced, reason, version) VALUES ($1, $2, $3, $4, 1)
   ON CONFLICT (target, target_id) DO UPDATE SET fenced = $3, reason = $4, version = f.version + 1
   WHERE f.fenced <> $3`,
)

const wantAll = statement(
  'fences_want_all',
  `INSERT INTO fences AS f (target, target_id, fenced, reason, version)
   SELECT $1, target_id, $3, $4, 1 FROM unnest($2::text[]) AS target_id ORDER BY target_id
   ON CONFLICT (target, target_id) DO UPDATE SET fenced = $3, reason = $4, version = f.version + 1
   WHERE f.fenced <> $3`,
)

const lease = statement(
  'fences_lease',
  `UPDATE fences SET leased_until = $2
   WHERE (target, target_id) IN (
     SELECT target, target_id FROM fences
     WHERE confirmed_version < version AND (leased_until IS NULL OR leased_until <= $1)
     ORDER BY target, target_id LIMIT $3 FOR UPDATE SKIP LOCKED)
   RETURNING target, target_id, fenced, reason, version`,
)

const one = statement(
  'fences_one',
  `SELECT target, target_id, fenced, reason, version, confirmed_version >= version AS confirmed
   FROM fences WHERE target = $1 AND target_id = $2`,
)

const revokedOfClient = statement(
  'fences_revoked_of_client',
  `SELECT f.target, f.target_id, f.fenced, f.reason, f.version
   FROM fences f JOIN grants g ON g.grant_id = f.target_id::uuid
   WHERE f.confirmed_version < f.version AND f.target = 'grant' AND f.reason = '${revokedGrant}' AND g.client_id = $1
   ORDER BY f.target, f.target_id LIMIT $2`,
)

const confirm = statement(
  'fences_confirm',
  `UPDATE fences SET confirmed_version = greatest(confirmed_version, $3), leased_until = NULL
   WHERE target = $1 AND target_id = $2`,
)

const release = statement(
  'fences_release',
  'UPDATE fences SET leased_until = NULL WHERE target = $1 AND target_id = $2',
)

/** Records what the submitter shall hold; nothing where that is what it was last asked for. */
export async function recordFenceWanted(
  tx: Queryable,
  fence: Pick<Fence, 'target' | 'target_id' | 'fenced' | 'reason'>,
): Promise<void> {
  await tx.rows(want, [fence.target, fence.target_id, fence.fenced, fence.reason])
}

/** `recordFenceWanted` for any number of targets, each named once. */
export async function recordFencesWanted(
  tx: Queryable,
  fences: Pick<Fence, 'target' | 'fenced' | 'reason'> & { target_ids: readonly string[] },
): Promise<void> {
  await tx.rows(wantAll, [fences.target, fences.target_ids, fences.fenced, fences.reason])
}

/** Takes unconfirmed fences for sending, at most `limit`; the sweeps of other replicas leave them alone until `leasedUntil`. */
export function leaseFences(db: Queryable, now: Date, leasedUntil: Date, limit: number): Promise<Fence[]> {
  return db.rows<Fence>(lease, [now, leasedUntil, limit])
}

/** What is wanted for a target, and whether the submitter has confirmed it; undefined where nothing ever was. */
export async function findFence(
  db: Queryable,
  { target, target_id }: Pick<Fence, 'target' | 'target_id'>,
): Promise<(Fence & { confirmed: boolean }) | undefined> {
  const [fence] = await db.rows<Fence & { confirmed: boolean }>(one, [target, target_id])
  return fence
}

/** Of a client's grants that were revoked, those whose fence is not confirmed, at most `limit`. */
export function listUnfencedRevoked(db: Queryable, clientId: string, limit: number): Promise<Fence[]> {
  return db.rows<Fence>(revokedOfClient, [clientId, limit])
}

/** The submitter has it at this version. */
export async function recordFenceConfirmed(db: Queryable, fence: Fence): Promise<void> {
  await db.rows(confirm, [fence.target, fence.target_id, fence.version])
}

/** The sweep may send it again at once. */
export async function recordFenceUnanswered(db: Queryable, fence: Fence): Promise<void> {
  await db.rows(release, [fence.target, fence.target_id])
}
