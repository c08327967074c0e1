/** What an error of PostgreSQL means: the fault of one row, or a server that is out of reach. */

import { messageOf } from '@financial-agents/runtime/command'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import pg from 'pg'

/** The commit was sent and no answer came: it may or may not have happened. */
export class CommitUnknown extends Unavailable {
  override readonly name = 'CommitUnknown'
  override readonly mayHaveHappened = true
}

/**
 * Whether a statement failed because of what one row says (SQLSTATE classes 22, data, and 23, constraints). Only then
 * is a batch worth trying item by item, and the same item will be refused each time; anything else concerns the
 * database and would fail for each item again.
 */
export function isRowFault(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error))
}

/**
 * `error`, as Unavailable where the server is out of reach: it refuses connections or statements as a whole (SQLSTATE
 * classes 08, 28, 3D, 53, 57), or the connection was refused, broke or timed out.
 */
export function toUnavailable(error: unknown): unknown {
  if (!isOutage(error)) return error
  return new Unavailable(`PostgreSQL is out of reach: ${messageOf(error)}`, { cause: error })
}

/** Of a closed set, for the count of failures: the class of its SQLSTATE, or what stands for none. */
export function failureReasonOf(error: unknown): string {
  const sqlState = sqlStateOf(error)
  if (error instanceof pg.DatabaseError && /^[0-9A-Z]{5}$/.test(sqlState)) return `sqlstate_${sqlState.slice(0, 2)}`
  return isOutage(error) ? 'out_of_reach' : 'other'
}

function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|28|3D|53|57)/.test(sqlStateOf(error))
  if (!(error instanceof Error)) return false
  // The driver's own errors have no codes; each of those about its connections says so in its words.
  return (
    'syscall' in error ||
    error instanceof AggregateError ||
    /connect|not queryable|timeout|after calling end/i.test(error.message)
  )
}

function sqlStateOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
