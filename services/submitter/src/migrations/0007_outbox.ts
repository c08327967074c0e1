/**
 * One row of the outbox for the operations that were claimed together, instead of an index entry and a confirming update
 * for each submission. The row goes when everything in it is confirmed. A row of `submissions` is then written twice: by
 * its claim and by its outcome.
 *
 * The trigger writes what replicas of the previous release do not: these leave `noted_in_outbox` false. They look for rows
 * that are not `settled`, without an index. This release writes its claims as confirmed, so that they leave those alone.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const outbox = sqlMigration(`
  CREATE TABLE outbox (
    batch_id uuid PRIMARY KEY,
    operation_ids uuid[] NOT NULL CHECK (cardinality(operation_ids) > 0),
    -- Until then an attempt of the batch may be open; null once none is.
    lease_until timestamptz,
    publications integer NOT NULL DEFAULT 0,
    republish_at timestamptz NOT NULL
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.2);
  -- A batch of 128 ids has 2 kB, which would be moved out of the row.
  ALTER TABLE outbox ALTER COLUMN operation_ids SET STORAGE PLAIN;

  ALTER TABLE submissions ADD COLUMN noted_in_outbox boolean NOT NULL DEFAULT false;

  CREATE FUNCTION note_claim() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      INSERT INTO outbox (batch_id, operation_ids, lease_until, republish_at)
      VALUES (gen_random_uuid(), ARRAY[NEW.operation_id], CASE NEW.state WHEN 'submitting' THEN NEW.lease_until END, NEW.republish_at);
      RETURN NULL;
    END
  $$;
  CREATE TRIGGER submissions_noted AFTER INSERT ON submissions
    FOR EACH ROW WHEN (NOT NEW.noted_in_outbox) EXECUTE FUNCTION note_claim();

  -- After the trigger, which waits for the transactions that write now and holds off later ones.
  INSERT INTO outbox (batch_id, operation_ids, lease_until, republish_at)
    SELECT gen_random_uuid(), array_agg(operation_id), max(lease_until) FILTER (WHERE state = 'submitting'), now()
    FROM (SELECT operation_id, lease_until, state, row_number() OVER (ORDER BY operation_id) / 128 AS batch
      FROM submissions WHERE NOT settled) AS open
    GROUP BY batch;

  DROP INDEX submissions_due;
`)
