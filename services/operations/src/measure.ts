/**
 * What operators watch of operations: what was asked, what is without an outcome and for how long, what came of it. Operations
 * that are accepted and not claimed are the outbox towards the submitter.
 */

import { isTerminal, type OperationState, operationStates } from '@financial-agents/operation-machine/machine'
import { type Database, statement } from '@financial-agents/postgres/database'
import { outboxFigures } from '@financial-agents/postgres/outbox-figures'
import type { Clock } from '@financial-agents/runtime/clock'
import { counter, type Figure, observeReading } from '@financial-agents/runtime/metrics/metrics'
import { type ParkReason, parkReasons } from './store/projection.ts'

const verdicts = counter('financial_agents.operations.verdicts')
const settled = counter('financial_agents.operations.settled')
const parked = counter(
  'financial_agents.operations.parked_transitions',
  parkReasons.map((reason) => ({ reason })),
)

const unresolvedStates = operationStates.filter((state) => !isTerminal(state))

/** As many as are looked at; more than so many in flight is an alert of its own. */
const maxRows = 50_000

export const unresolvedFigures = statement(
  'unresolved_figures',
  `SELECT kind, state, count(*) AS operations, min(created_at) AS oldest, min(accepted_at) AS oldest_accepted
  FROM (SELECT kind, state, created_at, accepted_at FROM operations WHERE unsettled LIMIT ${maxRows}) unresolved
  GROUP BY 1, 2`,
)

type Row = { kind: string; state: OperationState; operations: number; oldest: Date; oldest_accepted: Date | null }

/** What became of a write that asked to be accepted. */
export function noteVerdict(kind: string, verdict: string): void {
  verdicts.add({ kind, verdict })
}

/** Views that moved, in a transaction that has committed. */
export function noteMoved(moves: readonly { kind: string; to: OperationState }[]): void {
  for (const { kind, to } of moves) if (isTerminal(to)) settled.add({ kind, state: to })
}

/** A transition was set aside. */
export function noteParked(reason: ParkReason): void {
  parked.add({ reason })
}

/** Tells what is without an outcome whenever somebody collects metrics. */
export function observeUnresolved(db: Database, clock: Clock): void {
  observeReading({
    name: 'unresolved operations',
    read: async () => figuresOf(await db.rows<Row>(unresolvedFigures), clock.nowMs()),
  })
}

function figuresOf(rows: readonly Row[], nowMs: number): Figure[] {
  const ageMs = (since: Date | undefined) => (since ? Math.max(0, nowMs - since.getTime()) : 0)
  const accepted = rows.filter((row) => row.state === 'accepted')
  const figures: Figure[] = rows.map(({ kind, state, operations }) => [
    'financial_agents.operations.unresolved',
    operations,
    { kind, state },
  ])
  const ofState = Map.groupBy(rows, (row) => row.state)
  for (const state of unresolvedStates) {
    const oldest = earliest((ofState.get(state) ?? []).map((row) => row.oldest))
    figures.push(['financial_agents.operations.oldest_unresolved_age', ageMs(oldest) / 1_000, { state }])
  }
  const unclaimed = accepted.reduce((sum, row) => sum + row.operations, 0)
  const oldestUnclaimed = earliest(accepted.map((row) => row.oldest_accepted))
  return [...figures, ...outboxFigures('unclaimed operations', unclaimed, ageMs(oldestUnclaimed))]
}

function earliest(times: readonly (Date | null)[]): Date | undefined {
  return times.filter((time) => time !== null).toSorted((one, other) => one.getTime() - other.getTime())[0]
}
