/**
 * Operations without an outcome. Their two narrow tables are read as a whole, and each operation by its key. A batch may
 * hold an operation that has its outcome, so the state decides.
 */

import { terminalStates } from '@financial-agents/contract/machine'

/** The terminal states as a list of SQL. */
export const terminal = terminalStates.map((state) => `'${state}'`).join(', ')

/** Selects columns of the operations (`o`) without an outcome. */
export function inFlight(columns: string): string {
  return `SELECT ${columns}
    FROM (SELECT operation_id FROM in_flight UNION SELECT unnest(operation_ids) FROM in_flight_batches) listed
    CROSS JOIN LATERAL (
      SELECT * FROM operations WHERE id = listed.operation_id AND state NOT IN (${terminal}) LIMIT 1) o`
}
