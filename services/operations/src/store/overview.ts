/**
 * The figures of the operators' overview. Operations in flight are read as a whole. Outcomes are counted within indexes
 * by time, no further back than asked for.
 */

import type { OperatorOperationRow } from '@financial-agents/bus/messages/operator'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import { operationKinds } from '@financial-agents/operation-machine/kinds'
import { type OperationState, type TerminalState, terminalStates } from '@financial-agents/operation-machine/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { type OperatorRow, operatorColumns, toOperatorOperation } from './operator-rows.ts'

const hourOf = (column: string) => `date_trunc('hour', ${column}, 'UTC')`

/** The rows of each kind and outcome that match the condition. */
const endedOf = (columns: string, condition: string) => `unnest($1::text[]) AS kinds (kind)
  CROSS JOIN unnest($2::text[]) AS outcomes (outcome)
  CROSS JOIN LATERAL (SELECT ${columns} FROM operations
    WHERE kind <> '' AND kind = kinds.kind AND outcome = outcomes.outcome AND ${condition}) one`

export const overviewStatements = {
  inFlight: statement(
    'overview_in_flight',
    `SELECT state, failure_code, width_bucket(extract(epoch FROM $1::timestamptz - created_at)::float8, $2::float8[]) AS age,
      CASE WHEN created_at >= $3::timestamptz THEN ${hourOf('created_at')} END AS hour, count(*) AS operations
    FROM operations WHERE unsettled GROUP BY 1, 2, 3, 4`,
  ),
  oldest: statement(
    'overview_oldest',
    `SELECT ${operatorColumns.join(', ')} FROM operations WHERE unsettled ORDER BY created_at, id LIMIT $1`,
  ),
  // One count for each stretch, and no computation for a row: a stretch may hold many rows.
  ended: statement(
    'overview_ended',
    `SELECT stretch.since, one.* FROM unnest($1::timestamptz[], $2::timestamptz[]) AS stretch (since, until)
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE outcome = 'succeeded') AS succeeded,
        count(*) FILTER (WHERE outcome = 'failed') AS failed, count(*) FILTER (WHERE outcome = 'cancelled') AS cancelled
      FROM operations
      WHERE settled_at IS NOT NULL AND settled_at >= stretch.since AND settled_at < stretch.until) one`,
  ),
  created: statement(
    'overview_created',
    `SELECT stretch.since, sum(one.operations)::bigint AS operations
    FROM unnest($3::timestamptz[], $4::timestamptz[]) AS stretch (since, until)
    CROSS JOIN ${endedOf('count(*) AS operations', 'created_at >= stretch.since AND created_at < stretch.until')}
    GROUP BY stretch.since`,
  ),
  failures: statement(
    'overview_failures',
    `SELECT failure_code, count(*) AS operations FROM ${endedOf('failure_code', 'created_at >= $3::timestamptz')}
    WHERE failure_code IS NOT NULL GROUP BY 1`,
  ),
}

export type InFlightCount = {
  state: OperationState
  failure_code: FailureCode | null
  /** The number of bounds that the operation's age has reached. */
  age: number
  /** Null if the operation was created before `since`. */
  hour: Date | null
  operations: number
}

/** Counts the operations without an outcome. */
export function countInFlight(
  db: Queryable,
  asked: { now: Date; boundsS: readonly number[]; since: Date },
): Promise<InFlightCount[]> {
  return db.rows<InFlightCount>(overviewStatements.inFlight, [asked.now, asked.boundsS, asked.since])
}

/** Lists the oldest operations without an outcome. */
export async function listOldest(db: Queryable, limit: number): Promise<OperatorOperationRow[]> {
  return (await db.rows<OperatorRow>(overviewStatements.oldest, [limit])).map(toOperatorOperation)
}

/** From `since` on, until before `until`. */
export type Stretch = { since: Date; until: Date }

const sinceOf = (stretches: readonly Stretch[]) => stretches.map(({ since }) => since)
const untilOf = (stretches: readonly Stretch[]) => stretches.map(({ until }) => until)

/** Counts the outcomes of each stretch. */
export function countEnded(
  db: Queryable,
  stretches: readonly Stretch[],
): Promise<({ since: Date } & Record<TerminalState, number>)[]> {
  return db.rows(overviewStatements.ended, [sinceOf(stretches), untilOf(stretches)])
}

/** Counts the operations that were created in each stretch and have an outcome. */
export function countCreated(
  db: Queryable,
  stretches: readonly Stretch[],
): Promise<{ since: Date; operations: number }[]> {
  return db.rows(overviewStatements.created, [operationKinds, terminalStates, sinceOf(stretches), untilOf(stretches)])
}

/** Counts the failure codes of operations that were created from `since` on and did not succeed. */
export function countFailures(
  db: Queryable,
  since: Date,
): Promise<{ failure_code: FailureCode; operations: number }[]> {
  return db.rows(overviewStatements.failures, [operationKinds, ['failed', 'cancelled'], since])
}
