/**
 * The fences that the submitter must set or lift, kept until it has confirmed them (write protocol, rules 3 and 8).
 *
 * Invariant: each change of a target's wanted state increments the version in its row, and every request carries that
 * version. The submitter obeys the highest version, so requests may be repeated and overtake each other.
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

const unconfirmedOfClient = statement(
  'fences_unconfirmed_of_client',
  `SELECT f.target, f.target_id, f.fenced, f.reason, f.version
   FROM fences f JOIN grants g ON g.grant_id = f.target_id::uuid
   WHERE f.confirmed_version < f.version AND f.target = 'grant' AND f.fenced AND g.client_id = $1
   ORDER BY f.target, f.target_id LIMIT $2`,
)

/** Counts the ends that the submitter has not confirmed. */
export const unconfirmedEnds = statement(
  'fences_unconfirmed_ends',
  'SELECT count(*)::int AS count FROM fences WHERE confirmed_version < version AND fenced',
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

/** Records the state that the submitter must have. Does nothing if it was the last one requested. */
export async function recordFenceWanted(
  tx: Queryable,
  fence: Pick<Fence, 'target' | 'target_id' | 'fenced' | 'reason'>,
): Promise<void> {
  await tx.rows(want, [fence.target, fence.target_id, fence.fenced, fence.reason])
}

/** Does the same as `recordFenceWanted` for many targets, each named once. */
export async function recordFencesWanted(
  tx: Queryable,
  fences: Pick<Fence, 'target' | 'fenced' | 'reason'> & { target_ids: readonly string[] },
): Promise<void> {
  await tx.rows(wantAll, [fences.target, fences.target_ids, fences.fenced, fences.reason])
}

/**
 * Leases at most `limit` unconfirmed fences for sending. The background jobs of other replicas skip them until `leasedUntil`.
 */
export function leaseFences(db: Queryable, now: Date, leasedUntil: Date, limit: number): Promise<Fence[]> {
  return db.rows<Fence>(lease, [now, leasedUntil, limit])
}

/** Returns the wanted state of a target, and if the submitter has confirmed it. Undefined if none was ever wanted. */
export async function findFence(
  db: Queryable,
  { target, target_id }: Pick<Fence, 'target' | 'target_id'>,
): Promise<(Fence & { confirmed: boolean }) | undefined> {
  const [fence] = await db.rows<Fence & { confirmed: boolean }>(one, [target, target_id])
  return fence
}

/** Lists at most `limit` unconfirmed fences of a client's grants, which have ended or are suspended. */
export function listUnconfirmedOfClient(db: Queryable, clientId: string, limit: number): Promise<Fence[]> {
  return db.rows<Fence>(unconfirmedOfClient, [clientId, limit])
}

/** Records that the submitter has this version. */
export async function recordFenceConfirmed(db: Queryable, fence: Fence): Promise<void> {
  await db.rows(confirm, [fence.target, fence.target_id, fence.version])
}

/** Releases the lease, so that the background job may send the fence again at once. */
export async function recordFenceUnanswered(db: Queryable, fence: Fence): Promise<void> {
  await db.rows(release, [fence.target, fence.target_id])
}
