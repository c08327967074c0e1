/** Removes what has expired, a batch at a time. Nothing is decided by a row's absence here: what expires is refused anyway. */

import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'

export const pruneBatch = 1_000

const byAge = (table: string, column: string, condition = '') =>
  statement(
    `prune_${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE ${column} < $1 ${condition} ORDER BY ${column} LIMIT ${pruneBatch}
         FOR UPDATE SKIP LOCKED))
       RETURNING 1)
     SELECT count(*) AS count FROM gone`,
  )

const pruneStatements = {
  replays: byAge('replays', 'expires_at'),
  // The condition is the index's.
  artifacts: byAge('artifacts', 'expires_at', 'AND expires_at IS NOT NULL'),
  signIns: byAge('sign_ins', 'expires_at'),
  devicePolls: byAge('device_polls', 'expires_at'),
  changes: byAge('changes', 'created_at'),
  // What was written under a grant while it was being revoked: it gives nothing, and does not stay.
  ofRevoked: statement(
    'prune_artifacts_of_revoked',
    `WITH gone AS (
       DELETE FROM artifacts WHERE ctid = ANY (ARRAY (
         SELECT a.ctid FROM grants g JOIN artifacts a ON a.grant_hash = sha256(convert_to(g.grant_id::text, 'UTF8'))
         WHERE g.status = 'revoked' AND g.status_changed_at > $1 AND a.grant_hash IS NOT NULL LIMIT ${pruneBatch}
         FOR UPDATE OF a SKIP LOCKED))
       RETURNING 1)
     SELECT count(*) AS count FROM gone`,
  ),
} as const

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** One batch of each; true when more is waiting. */
export async function pruneExpired(db: Queryable, now: Date): Promise<boolean> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const counts = [
    await deleted(db, pruneStatements.replays, now),
    // An artifact stays readable for a day, so that its holder hears "expired" rather than "unknown".
    await deleted(db, pruneStatements.artifacts, ago(dayMs)),
    await deleted(db, pruneStatements.signIns, ago(hourMs)),
    await deleted(db, pruneStatements.devicePolls, now),
    await deleted(db, pruneStatements.changes, ago(dayMs)),
    await deleted(db, pruneStatements.ofRevoked, ago(hourMs)),
  ]
  return counts.some((count) => count >= pruneBatch)
}

async function deleted(db: Queryable, query: Statement, since: Date): Promise<number> {
  const [row] = await db.rows<{ count: number }>(query, [since])
  return row?.count ?? 0
}
