/**
 * Fences. Once a fence is reported, no claim that it stops can commit. The exclusive lock waits for the claims under way,
 * and new claims wait until the fence has committed.
 *
 * Each change of the wanted state has a higher version, and `fence_versions` stores the newest version received. A request
 * with that version or an older one neither sets nor lifts the fence, so a late copy cannot undo a newer request. Every
 * replica receives each request; the exclusive lock is taken only once for all of them.
 */

import type { FenceRequest, StoppedRequest, UnfenceRequest } from '@financial-agents/bus/messages/authority'
import { type Database, type Queryable, type Statement, statement } from '@financial-agents/postgres/database'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Mark } from '@financial-agents/witness/witness'
import { fenceLock, isStopped, stopsOf } from './claims.ts'

const durable = statement('fence_durable', "SELECT set_config('synchronous_commit', 'on', true)")
const count = statement('fence_count', 'SELECT mark($1, $2, $3)')
const lock = statement('fence_lock', `SELECT pg_advisory_xact_lock(${fenceLock})`)

// A separate statement, because the statements after it must see the commit for which its row lock waited.
const noteVersion = statement(
  'fence_note_version',
  `INSERT INTO fence_versions (target, target_id, version) VALUES ($1, $2, $3)
   ON CONFLICT (target, target_id) DO UPDATE SET version = excluded.version
   WHERE fence_versions.version < excluded.version
   RETURNING version`,
)

const insert = statement(
  'fence_insert',
  'INSERT INTO fences (target, target_id, reason, fenced_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
)
const remove = statement('fence_remove', 'DELETE FROM fences WHERE target = $1 AND target_id = $2')

// An open attempt is in the outbox, in a batch whose lease has not been given up.
const openOf = (column: string): Statement =>
  statement(
    `fence_open_${column}`,
    `SELECT DISTINCT s.operation_id
     FROM outbox CROSS JOIN unnest(operation_ids) AS item(id)
     CROSS JOIN LATERAL (
       SELECT operation_id FROM submissions
       WHERE operation_id = item.id AND state = 'submitting' AND ${column} = $1 LIMIT 1) s
     WHERE lease_until IS NOT NULL ORDER BY s.operation_id`,
  )
const open: Record<FenceRequest['target'], Statement> = {
  grant: openOf('grant_id'),
  client: openOf('client_id'),
  binding: openOf('binding_id'),
  mandate: openOf('mandate_id'),
}

/**
 * Writes the fence, unless a newer request has lifted it. An equal fence is written once. Returns true if this request was new. Given
 * a mark, the transaction is counted for the witness, also if the fence was there before.
 */
export async function recordFence(database: Database, fence: FenceRequest, at: Date, mark?: Mark): Promise<boolean> {
  const isNew = await database.transaction(async (tx) => {
    await tx.rows(durable)
    if (mark) await tx.rows(count, [...mark])
    // Before the lock, so that claims wait only for the fence itself.
    const newest = await isNewest(tx, fence)
    if (newest) {
      await tx.rows(lock)
      await tx.rows(insert, [fence.target, fence.target_id, fence.reason, at])
    }
    failpoint('fence.before_commit')
    return newest
  })
  failpoint('fence.after_commit')
  return isNew
}

/** Lifts the fence, unless a newer request has set it. Returns true if this request was new. */
export async function recordUnfence(database: Database, fence: UnfenceRequest): Promise<boolean> {
  const isNew = await database.transaction(async (tx) => {
    await tx.rows(durable)
    const newest = await isNewest(tx, fence)
    if (newest) await tx.rows(remove, [fence.target, fence.target_id])
    failpoint('unfence.before_commit')
    return newest
  })
  failpoint('unfence.after_commit')
  return isNew
}

/** Returns true if no request with this version or a newer one was received. */
async function isNewest(tx: Queryable, { target, target_id, version }: UnfenceRequest): Promise<boolean> {
  return (await tx.rows(noteVersion, [target, target_id, version])).length > 0
}

/** Ids of operations whose attempts are under way. Call it after the fence has committed: then none is missed. */
export async function listOpenAttempts(
  database: Database,
  { target, target_id }: Pick<FenceRequest, 'target' | 'target_id'>,
): Promise<string[]> {
  const rows = await database.rows<{ operation_id: string }>(open[target], [target_id])
  return rows.map((row) => row.operation_id)
}

const stopped = statement(
  'fences_stopped',
  `SELECT operation_id FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
     AS item(operation_id, stop_grant, stop_client, stop_binding, stop_mandate)
   WHERE ${isStopped}`,
)

/** Returns the operations that a claim would cancel now because of a fence. */
export async function listStopped(db: Queryable, { operations }: StoppedRequest): Promise<string[]> {
  const stops = operations.map(stopsOf)
  const rows = await db.rows<{ operation_id: string }>(stopped, [
    operations.map(({ operation_id }) => operation_id),
    stops.map(({ stop_grant }) => stop_grant),
    stops.map(({ stop_client }) => stop_client),
    stops.map(({ stop_binding }) => stop_binding),
    stops.map(({ stop_mandate }) => stop_mandate),
  ])
  return rows.map(({ operation_id }) => operation_id)
}
