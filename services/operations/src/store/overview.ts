/**
 * The figures of the operators' overview. Operations in flight are read as a whole. Creations are counted within an
 * index. Outcomes are counted in the part of history that is as recent as asked for.
 */

import type { OperatorOperationRow } from '@financial-agents/bus/messages/operator'
import type { FailureCode } from '@financial-agents/contract/failure-codes'
import { operationKinds } from '@financial-agents/contract/kinds'
import type { OperationState, TerminalState } from '@financial-agents/contract/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { inFlight } from './in-flight.ts'
import { pairs } from './operator-list.ts'
import { type OperatorRow, operatorColumns, toOperatorOperation } from './operator-rows.ts'

export const overviewStatements = {
  inFlight: statement(
    'overview_in_flight',
    `SELECT state, failure_code, width_bucket(extract(epoch FROM $1::timestamptz - created_at)::float8, $2::float8[]) AS age,
      count(*) AS operations
    FROM (${inFlight('o.state, o.failure_code, o.created_at')}) flying GROUP BY 1, 2, 3`,
  ),
  oldest: statement(
    'overview_oldest',
    `${inFlight(operatorColumns.map((name) => `o.${name}`).join(', '))} ORDER BY o.created_at, o.id LIMIT $1`,
  ),
  // Counts each stretch in one pass. Nothing is computed for a single row, because a stretch may hold many rows.
  ended: statement(
    'overview_ended',
    `SELECT stretch.since, one.* FROM unnest($1::timestamptz[], $2::timestamptz[]) AS stretch (since, until)
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE to_state = 'succeeded') AS succeeded,
        count(*) FILTER (WHERE to_state = 'failed') AS failed, count(*) FILTER (WHERE to_state = 'cancelled') AS cancelled
      FROM history WHERE at >= stretch.since AND at < stretch.until) one`,
  ),
  created: statement(
    'overview_created',
    `WITH RECURSIVE ${pairs}
    SELECT stretch.since, sum(one.operations)::bigint AS operations
    FROM unnest($1::timestamptz[], $2::timestamptz[]) AS stretch (since, until) CROSS JOIN pair
    CROSS JOIN LATERAL (SELECT count(*) AS operations FROM operations WHERE client_id = pair.client_id
      AND kind = pair.kind AND created_at >= stretch.since AND created_at < stretch.until) one
    GROUP BY stretch.since`,
  ),
  failures: statement(
    'overview_failures',
    `SELECT failure_code, count(*) AS operations FROM unnest($1::text[]) AS kinds (kind)
    CROSS JOIN unnest($2::text[]) AS outcomes (outcome)
    CROSS JOIN LATERAL (SELECT operation_id FROM unsuccessful
      WHERE kind = kinds.kind AND outcome = outcomes.outcome AND created_at >= $3::timestamptz) one
    CROSS JOIN LATERAL (SELECT failure_code FROM operations WHERE id = one.operation_id LIMIT 1) o
    WHERE failure_code IS NOT NULL GROUP BY 1`,
  ),
}

export type InFlightCount = {
  state: OperationState
  failure_code: FailureCode | null
  /** The number of bounds that the operation's age has reached. */
  age: number
  operations: number
}

/** Counts the operations without an outcome. */
export function countInFlight(
  db: Queryable,
  asked: { now: Date; boundsS: readonly number[] },
): Promise<InFlightCount[]> {
  return db.rows<InFlightCount>(overviewStatements.inFlight, [asked.now, asked.boundsS])
}

/** Lists the oldest operations without an outcome. */
export async function listOldest(db: Queryable, limit: number): Promise<OperatorOperationRow[]> {
  return (await db.rows<OperatorRow>(overviewStatements.oldest, [limit])).map(toOperatorOperation)
}

/** A stretch of time: `since` is in, and `until` is out. */
export type Stretch = { since: Date; until: Date }

const sinceOf = (stretches: readonly Stretch[]) => stretches.map(({ since }) => since)
const untilOf = (stretches: readonly Stretch[]) => stretches.map(({ until }) => until)

export function countEnded(
  db: Queryable,
  stretches: readonly Stretch[],
): Promise<({ since: Date } & Record<TerminalState, number>)[]> {
  return db.rows(overviewStatements.ended, [sinceOf(stretches), untilOf(stretches)])
}

export function countCreated(
  db: Queryable,
  stretches: readonly Stretch[],
): Promise<{ since: Date; operations: number }[]> {
  return db.rows(overviewStatements.created, [sinceOf(stretches), untilOf(stretches)])
}

/** Counts the failure codes of operations that were created from `since` on and did not succeed. */
export function countFailures(
  db: Queryable,
  since: Date,
): Promise<{ failure_code: FailureCode; operations: number }[]> {
  return db.rows(overviewStatements.failures, [operationKinds, ['failed', 'cancelled'], since])
}
