/**
 * Erases the credentials of ended connections when no operation needs them.
 *
 * This is safe because operations is asked only after the submitter has confirmed the binding's fence. An operation
 * claimed before the fence was accepted before it, so the answer includes it until it has an outcome. An operation
 * accepted after the fence is never claimed, and cancelling it needs no credentials. Only the revoke passes the fence,
 * and a binding with a revoke under way is skipped. The additional two minutes exceed the life of any request that
 * still names the binding.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'

export type EraseDependencies = {
  db: Database
  bus: Bus
  log: Log
  clock: Clock
  pauseMs: number
  /** The time since the end of the connection. */
  afterMs: number
}

const batch = 200
const callTimeoutMs = 5_000

export function startErasing(dependencies: EraseDependencies): Repeating {
  const { log, pauseMs } = dependencies
  return repeat({ name: 'erase', pauseMs, log, work: () => eraseCredentials(dependencies) })
}

/** Exported for tests. Returns true if more may be waiting. */
export async function eraseCredentials({ db, bus, clock, log, afterMs }: Omit<EraseDependencies, 'pauseMs'>) {
  const now = clock.now()
  const ids = await takeOver(db, now, afterMs)
  if (ids.length === 0) return false
  const unsettled = new Set(
    await call(bus, 'int.operations.unsettled-bindings', { binding_ids: ids }, newContext(callTimeoutMs)),
  )
  const settled = ids.filter((id) => !unsettled.has(id))
  failpoint('erase.before_commit')
  await db.rows(erase, [settled, now])
  failpoint('erase.after_commit')
  if (settled.length > 0) log.info({ binding_ids: settled }, 'credentials were erased')
  return ids.length === batch
}

export const takeToErase = statement(
  'onboarding_take_to_erase',
  // The next check comes later the longer the binding is unsettled, but at most an hour later.
  `WITH due AS (
     SELECT id FROM bindings b WHERE status = 'disconnected' AND credentials_sealed IS NOT NULL
       AND pending_operation_id IS NULL AND erase_check_at <= $1 AND disconnected_at <= $2
       AND NOT EXISTS (SELECT FROM announcements a WHERE a.binding_id = b.id AND a.fence AND a.fenced_at IS NULL)
     ORDER BY erase_check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
   UPDATE bindings b SET erase_check_at = $1::timestamptz
     + greatest(interval '1 minute', least(interval '1 hour', ($1::timestamptz - b.disconnected_at) / 2))
   FROM due WHERE b.id = due.id RETURNING b.id`,
)

/** Takes connections that are over, fenced and due. Other background jobs skip them for a while. */
async function takeOver(db: Queryable, now: Date, afterMs: number): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(takeToErase, [now, new Date(now.getTime() - afterMs), batch])
  return rows.map((row) => row.id)
}

export const erase = statement(
  'onboarding_erase',
  `UPDATE bindings SET credentials_sealed = NULL, updated_at = $2
   WHERE id = ANY($1::uuid[]) AND status = 'disconnected' AND pending_operation_id IS NULL`,
)
