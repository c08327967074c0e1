/** Deletes expired rows in batches. Nothing depends on the deletion, because expired rows are refused anyway. */

import { type Queryable, statement } from '@financial-agents/postgres/database'
import { type Prune, pruneByAge } from '@financial-agents/postgres/prune'

export const pruneBatch = 1_000

const pruneReplays = pruneByAge('replays', 'expires_at')
// The condition repeats that of the partial index on the expiry.
const pruneArtifacts = pruneByAge('artifacts', 'expires_at', 'expires_at IS NOT NULL')
const pruneSignIns = pruneByAge('sign_ins', 'expires_at')
const pruneDevicePolls = pruneByAge('device_polls', 'expires_at')
const pruneChanges = pruneByAge('changes', 'created_at')

// Artifacts that were written under a grant during its revocation. They give no authority, and are deleted.
const artifactsOfRevoked = statement(
  'prune_artifacts_of_revoked',
  `WITH gone AS (
     DELETE FROM artifacts WHERE ctid = ANY (ARRAY (
       SELECT a.ctid FROM grants g JOIN artifacts a ON a.grant_hash = sha256(convert_to(g.grant_id::text, 'UTF8'))
       WHERE g.status = 'revoked' AND g.status_changed_at > $1 AND a.grant_hash IS NOT NULL LIMIT $2
       FOR UPDATE OF a SKIP LOCKED))
     RETURNING 1)
   SELECT count(*) AS count FROM gone`,
)

const pruneArtifactsOfRevoked: Prune = async (db, since, limit) => {
  const [row] = await db.rows<{ count: number }>(artifactsOfRevoked, [since, limit])
  return row?.count ?? 0
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Deletes one batch of each kind. Returns true if more may be waiting. */
export async function pruneExpired(db: Queryable, now: Date): Promise<boolean> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const counts = [
    await pruneReplays(db, now, pruneBatch),
    // An artifact stays readable for a day, so that its holder gets "expired" instead of "unknown".
    await pruneArtifacts(db, ago(dayMs), pruneBatch),
    await pruneSignIns(db, ago(hourMs), pruneBatch),
    await pruneDevicePolls(db, now, pruneBatch),
    await pruneChanges(db, ago(dayMs), pruneBatch),
    await pruneArtifactsOfRevoked(db, ago(hourMs), pruneBatch),
  ]
  return counts.some((count) => count >= pruneBatch)
}
