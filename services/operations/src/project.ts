/**
 * Projection of events into history and view, one transaction for a batch (write protocol, rule 7). What cannot be
 * projected is parked and alerted while the rest commits.
 *
 * Invariant: only what is committed is confirmed to the pen-holder, which keeps every event until then. A parked
 * transition is not confirmed: it comes again, and is projected once the cause is mended.
 */

import type { EventBatch, OperationTransition } from '@financial-agents/bus/messages/events'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import type { Confirm } from './confirm.ts'
import { isDataError } from './data-error.ts'
import { type Arrived, fold, sortOut } from './fold.ts'
import {
  findContradicted,
  lockOperations,
  moveViewsTo,
  type Parked,
  type ParkReason,
  recordHistory,
  recordParked,
  recordReadPlans,
} from './store/projection.ts'
import type { OperationsDatabase } from './tables.ts'

export type ProjectorOptions = { db: OperationsDatabase; clock: Clock; log: Log; confirm: Confirm }

const maxPerTransaction = 500

/** Handles messages of the event stream; throws where they should come again. */
export function createProjector(options: ProjectorOptions) {
  return async (messages: readonly EventBatch[]): Promise<void> => {
    const { arrived, parked } = sortOut(messages)
    await park(options, parked)
    for (let start = 0; start < arrived.length; start += maxPerTransaction)
      await project(options, arrived.slice(start, start + maxPerTransaction))
  }
}

async function project(options: ProjectorOptions, arrived: readonly Arrived[]): Promise<void> {
  try {
    await projectTogether(options, arrived)
  } catch (error) {
    if (!isDataError(error)) throw error
    for (const operation of arrived) await projectSingly(options, operation)
  }
}

/** One transition at a time, so that the one that PostgreSQL refuses is parked alone. */
async function projectSingly(options: ProjectorOptions, { id, moves, plan }: Arrived): Promise<void> {
  for (const move of moves) {
    try {
      await projectTogether(options, [{ id, moves: [move], plan: null }])
    } catch (error) {
      if (!isDataError(error)) throw error
      options.log.error({ err: error, operation_id: id, sequence: move.sequence }, 'a transition was refused')
      await park(options, [{ reason: 'refused_by_database', transition: move }])
    }
  }
  if (plan) await projectTogether(options, [{ id, moves: [], plan }])
}

async function projectTogether(options: ProjectorOptions, arrived: readonly Arrived[]): Promise<void> {
  const { committed, parked } = await options.db.transaction(async (tx) => {
    const written = await write(tx, arrived)
    failpoint('project.before_commit')
    return written
  })
  failpoint('project.after_commit')
  await park(options, parked)
  await options.confirm(committed)
  failpoint('project.after_confirm')
}

async function write(tx: Queryable, arrived: readonly Arrived[]) {
  const ids = arrived.map(({ id }) => id)
  const standings = await lockOperations(tx, ids)
  const moves: OperationTransition[] = []
  const past: OperationTransition[] = []
  const views: OperationTransition[] = []
  const parked: Parked[] = []
  for (const operation of arrived) {
    const standing = standings.get(operation.id)
    if (!standing) {
      parked.push(...because('unknown_operation', operation.moves))
      continue
    }
    const folded = fold(standing, operation.moves)
    moves.push(...folded.moves)
    past.push(...folded.moves.filter((move) => move.sequence <= standing.sequence))
    if (folded.view) views.push(folded.view)
    parked.push(...because('broken_chain', folded.broken))
  }
  const contradicted = await findContradicted(tx, past)
  parked.push(...because('contradicts_history', contradicted))
  const committed = moves.filter((move) => !contradicted.has(move))
  await recordHistory(tx, committed)
  await moveViewsTo(tx, views)
  const plans = arrived.flatMap(({ plan }) => plan ?? [])
  await recordReadPlans(tx, plans)
  return { committed, parked }
}

function because(reason: ParkReason, moves: Iterable<OperationTransition>): Parked[] {
  return Array.from(moves, (transition) => ({ reason, transition }))
}

async function park(options: ProjectorOptions, parked: readonly Parked[]): Promise<void> {
  const now = options.clock.now()
  for (const { operation_id, reason } of await recordParked(options.db, parked, now))
    options.log.error({ operation_id, reason }, 'a transition was parked')
}
