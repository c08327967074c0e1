/**
 * When an operation came to its outcome, so that what settled since a moment is found. A column of its own: one that every move
 * changes would, once indexed, take the moves before the last one their place on the same page.
 */

import { terminalStates } from '@financial-agents/operation-machine/machine'
import { sqlMigration } from '@financial-agents/postgres/migrate'

const terminal = terminalStates.map((state) => `'${state}'`).join(', ')

export const settledAt = sqlMigration(`
  ALTER TABLE operations ADD COLUMN settled_at timestamptz
    GENERATED ALWAYS AS (CASE WHEN state IN (${terminal}) THEN updated_at END) STORED;
  CREATE INDEX operations_settled ON operations (settled_at, id) WHERE settled_at IS NOT NULL;
`)
