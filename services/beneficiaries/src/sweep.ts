/**
 * Repairs what lost its request or its events: old drafts and pending rows ask operations, which decides against drafts
 * that it has not accepted, and the rows follow the answer. Void rows go after a day.
 *
 * Invariant: a draft is void only where operations has written that it is (write protocol, rules 2 and 12); no age and no
 * silence decides.
 */

import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import { failpoint } from '@financial-agents/runtime/failpoint'
import { type Repeating, repeat } from '@financial-agents/runtime/repeat'
import { advanceAll, type EventParts, toState } from './events.ts'
import type { Parts } from './parts.ts'
import { removeVoid, takeDueOperations } from './progress-store.ts'

export type SweepParts = EventParts & Pick<Parts, 'drafts'> & { pendingPullAfterMs: number; sweepPauseMs: number }

const batch = 200
const decideTimeoutMs = 5_000
const pruneBatch = 500
const prunePauseMs = 3_600_000
const voidKeptMs = 86_400_000

export function startSweeps(parts: SweepParts): Repeating[] {
  const { log, sweepPauseMs } = parts
  return [
    repeat({ name: 'decide', pauseMs: sweepPauseMs, log, work: () => sweepUndecided(parts) }),
    repeat({ name: 'prune', pauseMs: prunePauseMs, log, work: () => pruneVoidRows(parts) }),
  ]
}

async function sweepUndecided(parts: SweepParts): Promise<boolean> {
  const due = await takeDueOperations(parts.db, parts.clock.now(), parts.pendingPullAfterMs, batch)
  if (due.length === 0) return false
  failpoint('sweep.before_send')
  const decisions = await call(
    parts.bus,
    'int.operations.decide',
    { operation_ids: due.map((row) => row.operation_id) },
    newContext(decideTimeoutMs),
  )
  failpoint('sweep.after_send')
  const wasDraft = new Map(due.map((row) => [row.operation_id, row.state === 'draft']))
  const at = parts.clock.now().toISOString()
  await advanceAll(
    parts,
    decisions.flatMap(({ operation_id, state, sequence }) =>
      state === 'void' ? [] : [{ operation_id, sequence, at, state: toState(state) }],
    ),
  )
  const refused = decisions.filter(({ state }) => state === 'void').map((decision) => decision.operation_id)
  for (const operation_id of refused)
    if (!wasDraft.get(operation_id)) parts.log.error({ operation_id }, 'operations does not know an accepted operation')
  await Promise.all(refused.map((operationId) => parts.drafts.recordVoid(operationId)))
  return due.length === batch
}

async function pruneVoidRows({ db, clock }: SweepParts): Promise<boolean> {
  return (await removeVoid(db, new Date(clock.nowMs() - voidKeptMs), pruneBatch)) === pruneBatch
}
