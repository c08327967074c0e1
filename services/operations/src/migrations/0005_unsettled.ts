/**
 * Gives operations without an outcome the partial index that operations without a claim had. Either way, one move of an
 * operation touches the indexes: now the last move instead of the claim. Operations in flight are then found at no
 * extra cost. The column `unclaimed` stays for replicas of the previous release.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const unsettled = sqlMigration(`
  ALTER TABLE operations
    ADD COLUMN unsettled boolean NOT NULL GENERATED ALWAYS AS (state NOT IN ('succeeded', 'failed', 'cancelled')) STORED;
  -- By binding too, which is judged within the index: it holds no more than what is in flight.
  CREATE INDEX operations_unsettled ON operations (publish_after, binding_id) WHERE unsettled;
  DROP INDEX operations_unclaimed;
  -- Room for the claim beside the accepted row, which is at its longest with its payload: a page that is full moves it.
  ALTER TABLE operations SET (fillfactor = 50);
`)
