/**
 * One row for the operations that were accepted together, instead of a row and an index entry in `in_flight` for each.
 * Almost all of them have their outcome when the sweep first looks at them: the row then goes. Otherwise it keeps those
 * without one. `in_flight` has what an approval let go, and what replicas of the previous release accept.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const inFlightBatches = sqlMigration(`
  CREATE TABLE in_flight_batches (
    batch_id uuid PRIMARY KEY,
    operation_ids uuid[] NOT NULL CHECK (cardinality(operation_ids) > 0),
    -- The time of the next sweep.
    publish_after timestamptz NOT NULL
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.2);
  -- A batch of 128 ids has 2 kB, which would be moved out of the row.
  ALTER TABLE in_flight_batches ALTER COLUMN operation_ids SET STORAGE PLAIN;
`)
