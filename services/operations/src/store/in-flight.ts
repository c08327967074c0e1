/**
 * Operations without an outcome. Their two narrow tables are read as a whole, and each operation by its key. A batch may
 * hold an operation that has its outcome, so the state decides.
 */

import { terminalStates } from '@financial-agents/contract/machine'
import { type Queryable, statement } from '@financial-agents/postgres/database'

/** The terminal states as a list of SQL. */
export const terminal = terminalStates.map((state) => `'${state}'`).join(', ')

/** Selects columns of the operations (`o`) without an outcome. */
export function inFlight(columns: string): string {
  return `SELECT ${columns}
    FROM (SELECT operation_id FROM in_flight UNION SELECT unnest(operation_ids) FROM in_flight_batches) listed
    CROSS JOIN LATERAL (
      SELECT * FROM operations WHERE id = listed.operation_id AND state NOT IN (${terminal}) LIMIT 1) o`
}

const unsent = statement(
  'list_unsent',
  `SELECT id, accepted_at FROM (${inFlight('id, state, accepted_at')}) f WHERE state IN ('requires_action', 'accepted')`,
)

/** The operations that are not known to be sent. `accepted_at` is null while they wait for an approval. */
export function listUnsent(db: Queryable): Promise<{ id: string; accepted_at: Date | null }[]> {
  return db.rows(unsent)
}
