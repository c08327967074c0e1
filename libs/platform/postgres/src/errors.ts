/** Classifies errors of PostgreSQL: the fault of one row, or a server that is out of reach. */

import { messageOf } from '@financial-agents/runtime/command'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import pg from 'pg'

/** The commit was sent, but no answer came. The transaction may or may not have been committed. */
export class CommitUnknown extends Unavailable {
  override readonly name = 'CommitUnknown'
  override readonly mayHaveHappened = true
}

/**
 * True if a statement failed because of the data of one row (SQLSTATE classes 22, data, and 23, constraints). Only then
 * is it useful to retry a batch item by item: the same item will be refused each time. Any other error concerns the
 * database, and would repeat for each item.
 */
export function isRowFault(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOf(error))
}

/** True if an insert failed because another row has its unique key. */
export function isTakenKey(error: unknown): boolean {
  return sqlStateOf(error) === '23505'
}

/** Reasons of which each asks for something else to be done, by their SQLSTATE. */
const namedReasons: Readonly<Record<string, string>> = {
  '53100': 'disk_full',
  '53200': 'out_of_memory',
  '53300': 'too_many_connections',
}

/**
 * Returns the error as Unavailable if the server is out of reach: it refuses connections or statements as a whole
 * (SQLSTATE classes 08, 28, 3D, 53, 57), or the connection was refused, broke or timed out. Returns any other error as
 * it is.
 */
export function toUnavailable(error: unknown): unknown {
  if (!isOutage(error)) return error
  const reason = namedReasons[sqlStateOf(error)]
  const problem = reason ? `PostgreSQL cannot serve (${reason})` : 'PostgreSQL is out of reach'
  return new Unavailable(`${problem}: ${messageOf(error)}`, { cause: error })
}

/**
 * The reason of a failure for the metrics, from a closed set: a name, the class of the SQLSTATE, `out_of_reach` or `other`.
 */
export function failureReasonOf(error: unknown): string {
  const sqlState = sqlStateOf(error)
  if (error instanceof pg.DatabaseError && /^[0-9A-Z]{5}$/.test(sqlState))
    return namedReasons[sqlState] ?? `sqlstate_${sqlState.slice(0, 2)}`
  return isOutage(error) ? 'out_of_reach' : 'other'
}

function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|28|3D|53|57)/.test(sqlStateOf(error))
  if (!(error instanceof Error)) return false
  // The driver's own errors have no codes. Connection errors are recognised by their messages.
  return (
    'syscall' in error ||
    error instanceof AggregateError ||
    /connect|not queryable|timeout|after calling end/i.test(error.message)
  )
}

/** The SQLSTATE of an error of PostgreSQL; empty for any other error. */
export function sqlStateOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
