/** Removes what has expired, a batch at a time. Nothing is decided by a row's absence here: what expires is refused anyway. */

import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'

const batch = 1_000

const byExpiry = (table: string) =>
  statement(
    `prune_${table}`,
    `WITH gone AS (
       DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM ${table} WHERE expires_at < $1 ORDER BY expires_at LIMIT ${batch} FOR UPDATE SKIP LOCKED))
       RETURNING 1)
     SELECT count(*) AS count FROM gone`,
  )

const replays = byExpiry('replays')
const artifacts = byExpiry('artifacts')
const changes = statement(
  'prune_changes',
  `WITH gone AS (DELETE FROM changes WHERE created_at < $1 RETURNING 1) SELECT count(*) AS count FROM gone`,
)

const dayMs = 86_400_000

/** One batch of each; true when more is waiting. */
export async function pruneExpired(db: Queryable, now: Date): Promise<boolean> {
  const dayAgo = new Date(now.getTime() - dayMs)
  // An artifact stays readable for a day, so that its holder hears "expired" rather than "unknown".
  const counts = [
    await deleted(db, replays, now),
    await deleted(db, artifacts, dayAgo),
    await deleted(db, changes, dayAgo),
  ]
  return counts.some((count) => count >= batch)
}

async function deleted(db: Queryable, query: Statement, before: Date): Promise<number> {
  const [row] = await db.rows<{ count: number }>(query, [before])
  return row?.count ?? 0
}
