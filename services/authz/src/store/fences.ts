/**
 * What the submitter must fence or unfence, kept until it has confirmed (write protocol, rules 3 and 8).
 *
 * Invariant: one request at a time is on its way for a target. A request that was not answered holds its lease, so that a
 * late one cannot overtake the next and undo it.
 */

import { type Queryable, statement } from '@financial-agents/postgres/database'

export type FenceTarget = 'grant' | 'client'
export type Fence = {
  target: FenceTarget
  target_id: string
  fenced: boolean
  reason: string
  version: number
  leased_until: Date
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
   RETURNING target, target_id, fenced, reason, version, leased_until`,
)

const leaseThis = statement(
  'fences_lease_this',
  `UPDATE fences SET leased_until = $4
   WHERE target = $1 AND target_id = $2 AND confirmed_version < version
     AND (leased_until IS NULL OR leased_until <= $3)
   RETURNING target, target_id, fenced, reason, version, leased_until`,
)

const confirmed = statement(
  'fences_confirmed',
  'SELECT 1 FROM fences WHERE target = $1 AND target_id = $2 AND fenced AND confirmed_version >= version',
)

const confirm = statement(
  'fences_confirm',
  `UPDATE fences SET confirmed_version = $4, leased_until = NULL
   WHERE target = $1 AND target_id = $2 AND leased_until = $3`,
)

const release = statement(
  'fences_release',
  'UPDATE fences SET leased_until = NULL WHERE target = $1 AND target_id = $2 AND leased_until = $3',
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

/** Takes unconfirmed fences for sending, at most `limit`. */
export function leaseFences(db: Queryable, now: Date, leasedUntil: Date, limit: number): Promise<Fence[]> {
  return db.rows<Fence>(lease, [now, leasedUntil, limit])
}

/** Takes this fence for sending; undefined where it is confirmed, or a request for it is on its way. */
export async function leaseFence(
  db: Queryable,
  { target, target_id }: Pick<Fence, 'target' | 'target_id'>,
  now: Date,
  leasedUntil: Date,
): Promise<Fence | undefined> {
  const [fence] = await db.rows<Fence>(leaseThis, [target, target_id, now, leasedUntil])
  return fence
}

/** Whether the submitter has confirmed that it is fenced, as it was asked for last. */
export async function isFenceConfirmed(
  db: Queryable,
  { target, target_id }: Pick<Fence, 'target' | 'target_id'>,
): Promise<boolean> {
  return (await db.rows(confirmed, [target, target_id])).length > 0
}

/** The submitter has it; nothing where the lease was lost meanwhile, and it is asked once more. */
export async function recordFenceConfirmed(db: Queryable, fence: Fence): Promise<void> {
  await db.rows(confirm, [fence.target, fence.target_id, fence.leased_until, fence.version])
}

/** The request surely did not arrive: it may be sent again at once. */
export async function recordFenceNotSent(db: Queryable, fence: Fence): Promise<void> {
  await db.rows(release, [fence.target, fence.target_id, fence.leased_until])
}
