/**
 * Takes out of the indexes of `operations` every column that a move changes. All moves of an operation are then
 * heap-only. Operations without an outcome are listed in a narrow table, with the time of their next sweep. So are
 * operations that failed or were cancelled, for operators. Both indexes that are left hold columns that never change.
 *
 * The triggers write what replicas of the previous release do not: these leave `noted_in_flight` false. The previous
 * release still reads and writes `publish_after` and the generated columns. It finds the same rows, without an index.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const inFlight = sqlMigration(`
  CREATE TABLE in_flight (
    operation_id uuid PRIMARY KEY,
    publish_after timestamptz NOT NULL
  ) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_analyze_scale_factor = 0.2);

  -- The owner and client of each grant, by which its operations are found.
  CREATE TABLE grants (
    grant_id text COLLATE "C",
    owner_id text COLLATE "C",
    client_id text COLLATE "C",
    PRIMARY KEY (grant_id, owner_id, client_id)
  );

  -- Operations that failed or were cancelled, by the filters of operators.
  CREATE TABLE unsuccessful (
    operation_id uuid PRIMARY KEY,
    outcome text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    grant_id text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX unsuccessful_of_kind ON unsuccessful (kind, outcome, created_at, operation_id);
  CREATE INDEX unsuccessful_of_client ON unsuccessful (client_id, kind, outcome, created_at, operation_id);
  CREATE INDEX unsuccessful_of_grant ON unsuccessful (grant_id, kind, outcome, created_at, operation_id);

  ALTER TABLE operations ADD COLUMN noted_in_flight boolean NOT NULL DEFAULT false;

  CREATE FUNCTION note_operation() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      INSERT INTO grants (grant_id, owner_id, client_id) VALUES (NEW.grant_id, NEW.owner_id, NEW.client_id) ON CONFLICT DO NOTHING;
      IF NEW.state NOT IN ('succeeded', 'failed', 'cancelled') THEN
        INSERT INTO in_flight (operation_id, publish_after) VALUES (NEW.id, coalesce(NEW.publish_after, now() + interval '1 hour'))
        ON CONFLICT DO NOTHING;
      END IF;
      RETURN NULL;
    END
  $$;
  CREATE TRIGGER operations_noted AFTER INSERT ON operations
    FOR EACH ROW WHEN (NOT NEW.noted_in_flight) EXECUTE FUNCTION note_operation();

  -- An approval that the previous release records, and its sweep.
  CREATE FUNCTION note_publication() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      INSERT INTO in_flight (operation_id, publish_after) VALUES (NEW.id, NEW.publish_after)
      ON CONFLICT (operation_id) DO UPDATE SET publish_after = EXCLUDED.publish_after;
      RETURN NULL;
    END
  $$;
  CREATE TRIGGER operations_publication_noted AFTER UPDATE ON operations
    FOR EACH ROW WHEN (NEW.publish_after IS DISTINCT FROM OLD.publish_after AND NEW.publish_after < 'infinity')
    EXECUTE FUNCTION note_publication();

  CREATE FUNCTION note_unsuccessful() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      INSERT INTO unsuccessful (operation_id, outcome, kind, client_id, grant_id, created_at)
      VALUES (NEW.id, NEW.state, NEW.kind, NEW.client_id, NEW.grant_id, NEW.created_at) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END
  $$;
  CREATE TRIGGER operations_unsuccessful_noted AFTER INSERT OR UPDATE ON operations
    FOR EACH ROW WHEN (NEW.state IN ('failed', 'cancelled')) EXECUTE FUNCTION note_unsuccessful();

  -- After the triggers, which wait for the transactions that write now and hold off later ones.
  INSERT INTO in_flight (operation_id, publish_after)
    SELECT id, LEAST(publish_after, now() + interval '1 hour') FROM operations WHERE unsettled;
  INSERT INTO grants (grant_id, owner_id, client_id)
    SELECT DISTINCT grant_id, owner_id, client_id FROM operations;
  INSERT INTO unsuccessful (operation_id, outcome, kind, client_id, grant_id, created_at)
    SELECT id, state, kind, client_id, grant_id, created_at FROM operations WHERE outcome IN ('failed', 'cancelled');

  CREATE INDEX operations_of_owner ON operations (owner_id, client_id, created_at, id);
  CREATE INDEX operations_of_client ON operations (client_id, kind, created_at, id);
  DROP INDEX operations_newest, operations_unsettled, operations_settled, operations_ended, operations_ended_of_client,
    operations_ended_of_grant;

  -- Rows of history lie in the order of their time. An entry stands for a range of pages, and insertion writes none.
  CREATE INDEX history_by_time ON history USING brin (at) WITH (pages_per_range = 16, autosummarize = on);
`)
