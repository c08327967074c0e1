/**
 * Indexes by which operators find operations and by which recent outcomes are listed. They hold only operations with an
 * outcome, over columns that no earlier move changes. An operation enters each index once, by the one move that touches
 * the indexes anyway, and acceptance touches none. Operations in flight have their own index.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const outcomes = sqlMigration(`
  -- Columns of their own: an index on the state, or on the time of the last move, would take every move its place on the same
  -- page. One statement, so that the table is written once.
  ALTER TABLE operations
    ADD COLUMN settled_at timestamptz GENERATED ALWAYS AS (CASE WHEN state IN ('succeeded', 'failed', 'cancelled') THEN updated_at END) STORED,
    ADD COLUMN outcome text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN state IN ('succeeded', 'failed', 'cancelled') THEN state END) STORED;
  -- With the outcome, so that outcomes by time are counted within the index.
  CREATE INDEX operations_settled ON operations (settled_at, id) INCLUDE (outcome) WHERE settled_at IS NOT NULL;
  -- Kinds and outcomes are few, so that a list of any of them is merged from the newest of each. Each condition names its
  -- first column: a statement that says the same can use that index and none of the others, whatever the statistics are.
  CREATE INDEX operations_ended ON operations (kind, outcome, created_at, id)
    WHERE outcome IS NOT NULL AND kind <> '';
  CREATE INDEX operations_ended_of_client ON operations (client_id, kind, outcome, created_at, id)
    WHERE outcome IS NOT NULL AND client_id <> '';
  CREATE INDEX operations_ended_of_grant ON operations (grant_id, kind, outcome, created_at, id)
    WHERE outcome IS NOT NULL AND grant_id <> '';
`)
