/** A card may have several unsettled changes: a freeze beside an unfreeze, a closing beside either. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const severalChanges = sqlMigration(`
  -- The changes that have not all settled, oldest first: [{ action, operation_id, state, changed_at }]. Replicas of before leave it
  -- alone: pending_operation_id says whether it is current.
  ALTER TABLE cards ADD COLUMN changes jsonb NOT NULL DEFAULT '[]';
`)
