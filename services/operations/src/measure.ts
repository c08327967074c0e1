/**
 * Metrics of operations: requests, operations without an outcome and their age, outcomes and the time to them. Accepted operations
 * without a claim are the outbox towards the submitter.
 */

import { holdsPayload, isTerminal, type OperationState, operationStates } from '@financial-agents/contract/machine'
import { type Database, statement } from '@financial-agents/postgres/database'
import { outboxFigures } from '@financial-agents/postgres/outbox-figures'
import type { Clock } from '@financial-agents/runtime/clock'
import { counter, type Figure, histogram, observeReading } from '@financial-agents/runtime/metrics/metrics'
import { inFlight } from './store/in-flight.ts'
import { type ParkReason, parkReasons } from './store/projection.ts'

const results = counter('financial_agents.operations.results')
const settled = counter('financial_agents.operations.settled')
const firstOutcome = histogram('financial_agents.operations.first_outcome.duration')
const finalOutcome = histogram('financial_agents.operations.final_outcome.duration')
const parked = counter('financial_agents.operations.parked_transitions')

const unresolvedStates = operationStates.filter((state) => !isTerminal(state))

/** The number of rows that are counted. More operations in flight are an alert of their own. */
const maxRows = 50_000

export const unresolvedFigures = statement(
  'unresolved_figures',
  `SELECT kind, state, count(*) AS operations, min(created_at) AS oldest, min(accepted_at) AS oldest_accepted
  FROM (${inFlight('o.kind, o.state, o.created_at, o.accepted_at')} LIMIT ${maxRows}) unresolved
  GROUP BY 1, 2`,
)

type Row = { kind: string; state: OperationState; operations: number; oldest: Date; oldest_accepted: Date | null }

/** Counts the result on a write that asked for acceptance. */
export function noteResult(kind: string, result: string): void {
  results.add({ kind, result })
}

/** A move, with the time at which its operation was accepted. */
export type TimedMove = {
  kind: string
  from: OperationState | null
  to: OperationState
  at: string
  acceptedAt: Date | null
}

/**
 * Counts moves that are new in history, after the transaction has committed. An operation has one first outcome and one final
 * state, so each histogram has it once.
 */
export function noteMoved(moves: readonly TimedMove[]): void {
  for (const { kind, from, to, at, acceptedAt } of moves) {
    const labels = { kind, state: to }
    if (isTerminal(to)) settled.add(labels)
    if (!acceptedAt) continue
    const seconds = Math.max(0, Date.parse(at) - acceptedAt.getTime()) / 1_000
    if (from && holdsPayload(from) && !holdsPayload(to)) firstOutcome.record(seconds, labels)
    if (isTerminal(to)) finalOutcome.record(seconds, labels)
  }
}

/** Counts a parked transition. */
export function noteParked(reason: ParkReason): void {
  parked.add({ reason })
}

/** Reports the operations without an outcome at each collection of metrics. */
export function observeUnresolved(db: Database, clock: Clock): void {
  parked.startAtZero(parkReasons.map((reason) => ({ reason })))
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
