/**
 * Operations without an outcome. Their narrow table is read as a whole, and each operation by its key. The table may
 * hold an operation that a replica of the previous release settled, so the state decides.
 */

import { terminalStates } from '@financial-agents/operation-machine/machine'

/** The terminal states as a list of SQL. */
export const terminal = terminalStates.map((state) => `'${state}'`).join(', ')

/** Selects columns of the operations (`o`) without an outcome. */
export function inFlight(columns: string): string {
  return `SELECT ${columns} FROM in_flight CROSS JOIN LATERAL (
    SELECT * FROM operations WHERE id = in_flight.operation_id AND state NOT IN (${terminal}) LIMIT 1) o`
}
