/**
 * Repairs writes whose request or events were lost. It asks operations about old drafts and about accepted writes
 * without an outcome, and applies the answer to the rows. When asked, operations voids a draft that it has not
 * accepted. Void rows are deleted after a day.
 */

import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { observeOutboxes } from '@financial-agents/postgres/outbox-figures'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { newsOfDecisions } from './events.ts'
import { draftsOutbox, removeVoid, takeDueWrites } from './store.ts'
import type { Move } from './write.ts'
import type { Writes, WritesOptions } from './writes.ts'

const batch = 200
const decideTimeoutMs = 5_000
const pruneBatch = 500
const prunePauseMs = 3_600_000
const voidKeptMs = 86_400_000

/** The caller stops each of the jobs. */
export function startBackgroundJobs(parts: WritesOptions, writes: Writes): Repeating[] {
  const { db, clock, log, backgroundJobPauseMs } = parts
  observeOutboxes({ db, clock, outboxes: [draftsOutbox] })
  return [
    repeat({ name: 'decide', pauseMs: backgroundJobPauseMs, log, work: () => decideDueWrites(parts, writes) }),
    repeat({ name: 'prune', pauseMs: prunePauseMs, log, work: () => pruneVoidRows(parts, writes) }),
  ]
}

async function decideDueWrites({ db, bus, clock, log, pendingPullAfterMs }: WritesOptions, writes: Writes) {
  const due = await takeDueWrites(db, clock.now(), pendingPullAfterMs, batch)
  if (due.length === 0) return false
  const asked = { operation_ids: due.map((row) => row.operation_id) }
  failpoint('job.before_send')
  const decisions = await call(bus, 'int.operations.decide', asked, newContext(decideTimeoutMs))
  failpoint('job.after_send')
  await writes.advance(newsOfDecisions(decisions, clock.now()))
  const wasDraft = new Map(due.map((row) => [row.operation_id, row.state === 'draft']))
  const refused = decisions.filter(({ state }) => state === 'void').map((decision) => decision.operation_id)
  for (const operation_id of refused)
    if (!wasDraft.get(operation_id)) log.error({ operation_id }, 'operations does not know an accepted operation')
  await Promise.all(refused.map((operationId) => writes.settle(operationId, 'void')))
  return due.length === batch
}

async function pruneVoidRows({ db, clock }: WritesOptions, writes: Writes): Promise<boolean> {
  const before = new Date(clock.nowMs() - voidKeptMs)
  const at = clock.now().toISOString()
  return db.transaction(async (tx) => {
    const gone = await removeVoid(tx, before, pruneBatch)
    await writes.follow(
      tx,
      gone.map((write): Move => ({ ...write, to: 'gone', was: 'void', at, upstream_reference: null, resource: null })),
    )
    return gone.length === pruneBatch
  })
}
