/**
 * Projects events into history and view, one transaction for a batch (write protocol, rule 7). A transition that cannot
 * be projected is parked with an alert, and the rest commits.
 *
 * Invariant: only committed transitions are confirmed to the service that made them, which keeps every event until then. A parked
 * transition and its successors are not confirmed. They are delivered again and projected after the cause is removed.
 */

import type { EventBatch, OperationTransition } from '@financial-agents/bus/messages/events'
import type { Database, Queryable } from '@financial-agents/postgres/database'
import { isRowFault } from '@financial-agents/postgres/errors'
import type { Clock } from '@financial-agents/runtime/clock'
import { failpoint } from '@financial-agents/runtime/failpoint'
import type { Log } from '@financial-agents/runtime/log'
import type { Confirm } from './confirm.ts'
import { type Arrived, fold, rowsOf, sortOut } from './fold.ts'
import { noteMoved, noteParked, type TimedMove } from './measure.ts'
import {
  findHeldHistory,
  findStandings,
  type HistoryRow,
  moveViewsTo,
  type Parked,
  type ParkReason,
  recordParked,
  recordPast,
  recordReadPlans,
  type Standing,
  ViewMoved,
} from './store/projection.ts'
import { releaseTransfers } from './store/transfers.ts'

export type ProjectorOptions = { db: Database; clock: Clock; log: Log; confirm: Confirm }

const maxPerTransaction = 500
const attempts = 5

/** Handles messages of the event stream. Throws if the messages must be delivered again. */
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
    if (!isRowFault(error)) throw error
    for (const operation of arrived) await projectSingly(options, operation)
  }
}

/** Projects one transition at a time, so that only the one that PostgreSQL refuses is parked. */
async function projectSingly(options: ProjectorOptions, operation: Arrived): Promise<void> {
  let { parkedFrom } = operation
  for (const move of operation.moves) {
    try {
      await projectTogether(options, [{ ...operation, moves: [move], plan: null, parkedFrom }])
    } catch (error) {
      if (!isRowFault(error)) throw error
      await park(options, because('refused_by_database', [move]), error)
      parkedFrom = Math.min(parkedFrom, move.sequence)
    }
  }
  if (operation.plan) await projectTogether(options, [{ ...operation, moves: [] }])
}

async function projectTogether(options: ProjectorOptions, arrived: readonly Arrived[]): Promise<void> {
  const { confirmable, parked, noted } = await inTransaction(options, arrived)
  noteMoved(noted)
  failpoint('project.after_commit')
  await park(options, parked)
  await options.confirm(confirmable)
  failpoint('project.after_confirm')
}

/**
 * Repeats the transaction if another replica's batch moved the same operation. After the last attempt, the messages are
 * delivered again.
 */
async function inTransaction(
  options: Pick<ProjectorOptions, 'db' | 'clock'>,
  arrived: readonly Arrived[],
  attempt = 1,
): Promise<Written> {
  try {
    return await options.db.transaction(async (tx) => {
      const written = await write(tx, arrived, options.clock.now())
      failpoint('project.before_commit')
      return written
    })
  } catch (error) {
    if (!(error instanceof ViewMoved) || attempt === attempts) throw error
    return inTransaction(options, arrived, attempt + 1)
  }
}

type Written = { confirmable: OperationTransition[]; parked: Parked[]; noted: TimedMove[] }

async function write(tx: Queryable, arrived: readonly Arrived[], now: Date): Promise<Written> {
  const standings = await findStandings(
    tx,
    arrived.map(({ id }) => id),
  )
  const { moves, past, rows, views, parked } = foldAll(arrived, standings)
  const held = await findHeldHistory(tx, past)
  const contradicted = new Set(past.filter((move) => held.get(move) === 'contradicted'))
  parked.push(...because('contradicts_history', contradicted))
  const late = past.filter((move) => !held.has(move)).map((move) => ({ ...move, claimed_at: null }))
  await recordPast(tx, late)
  await moveViewsTo(tx, views, standings, rows)
  const moved = views.map(({ operation_id, to }) => ({ id: operation_id, state: to }))
  await releaseTransfers(tx, moved, now)
  const plans = arrived.flatMap(({ plan }) => plan ?? [])
  await recordReadPlans(tx, plans)
  const committed = moves.filter((move) => !contradicted.has(move))
  const noted = [...rows, ...late].map((move) => ({
    ...move,
    acceptedAt: standings.get(move.operation_id)?.accepted_at ?? null,
  }))
  return { confirmable: confirmableOf(committed, arrived, parked), parked, noted }
}

function foldAll(arrived: readonly Arrived[], standings: ReadonlyMap<string, Standing>) {
  const moves: OperationTransition[] = []
  const past: OperationTransition[] = []
  const rows: HistoryRow[] = []
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
    rows.push(...rowsOf(folded.moves.filter((move) => move.sequence > standing.sequence)))
    if (folded.view) views.push(folded.view)
    parked.push(...because('broken_chain', folded.broken))
  }
  return { moves, past, rows, views, parked }
}

/**
 * Returns the committed transitions with nothing parked before them. The service that made them takes a confirmation for all
 * sequences up to it.
 */
function confirmableOf(
  committed: readonly OperationTransition[],
  arrived: readonly Arrived[],
  parked: readonly Parked[],
): OperationTransition[] {
  const from = new Map(arrived.map(({ id, parkedFrom }) => [id, parkedFrom]))
  for (const { transition } of parked) {
    const { operation_id, sequence } = transition as OperationTransition
    from.set(operation_id, Math.min(sequence, from.get(operation_id) ?? sequence))
  }
  return committed.filter((move) => move.sequence < (from.get(move.operation_id) ?? 0))
}

function because(reason: ParkReason, moves: Iterable<OperationTransition>): Parked[] {
  return Array.from(moves, (transition) => ({ reason, transition }))
}

/** Parks transitions. Alerts once: a transition that was parked before raises no new alert. */
async function park(options: ProjectorOptions, parked: readonly Parked[], cause?: unknown): Promise<void> {
  const now = options.clock.now()
  for (const { operation_id, reason } of await recordParked(options.db, parked, now)) {
    noteParked(reason)
    options.log.error({ err: cause, operation_id, reason }, 'a transition was parked')
  }
}
