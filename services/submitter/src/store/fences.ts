/**
 * Fences: from the moment one is reported, no claim that it stops can commit. The exclusive lock waits for the claims
 * under way and keeps new ones waiting until the fence has committed.
 */

import type { FenceRequest } from '@financial-agents/bus/messages/authority'
import { type Database, type Statement, statement } from '@financial-agents/postgres/database'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { fenceLock } from './claims.ts'

const lock = statement(
  'fence_lock',
  `SELECT set_config('synchronous_commit', 'on', true), pg_advisory_xact_lock(${fenceLock})`,
)
const insert = statement(
  'fence_insert',
  'INSERT INTO fences (target, target_id, reason, fenced_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
)
const remove = statement('fence_remove', 'DELETE FROM fences WHERE target = $1 AND target_id = $2')

// `NOT settled` follows from the state; it is what leads to the index of the open rows.
const openOf = (column: string): Statement =>
  statement(
    `fence_open_${column}`,
    `SELECT operation_id FROM submissions
     WHERE NOT settled AND state = 'submitting' AND ${column} = $1 ORDER BY operation_id`,
  )
const open: Record<FenceRequest['target'], Statement> = {
  grant: openOf('grant_id'),
  client: openOf('client_id'),
  binding: openOf('binding_id'),
  mandate: openOf('mandate_id'),
}

/** Writes the fence; equal fences are one. */
export async function recordFence(database: Database, fence: FenceRequest, at: Date): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.rows(lock)
    await tx.rows(insert, [fence.target, fence.target_id, fence.reason, at])
    failpoint('fence.before_commit')
  })
  failpoint('fence.after_commit')
}

export async function recordUnfence(
  database: Database,
  { target, target_id }: Pick<FenceRequest, 'target' | 'target_id'>,
): Promise<void> {
  await database.rows(remove, [target, target_id])
}

/** Attempts under way for what was fenced: asked after the fence has committed, so that none is missed. */
export async function listOpenAttempts(
  database: Database,
  { target, target_id }: Pick<FenceRequest, 'target' | 'target_id'>,
): Promise<string[]> {
  const rows = await database.rows<{ operation_id: string }>(open[target], [target_id])
  return rows.map((row) => row.operation_id)
}
