/**
 * The permanent submission rows, the outbox of their events, and the fences. Submissions are partitioned by the month in which
 * the operation's id was generated, as operations does with its tables.
 *
 * Invariant: an insert never fails because a month is missing. Every id that no month takes goes to the default partition.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
  -- Written twice: by the claim and by the outcome. No index holds a column that the outcome changes, and less than half of a
  -- page is filled at first, so that the outcome is a heap-only update.
  CREATE TABLE submissions (
    operation_id uuid PRIMARY KEY,
    attempt_id uuid NOT NULL,
    kind text NOT NULL,
    resource_id text NOT NULL,
    owner_id text NOT NULL,
    subject text NOT NULL,
    client_id text NOT NULL,
    grant_id text NOT NULL,
    binding_id text NOT NULL,
    mandate_id text,
    -- The provider's reference of the resource that the operation names.
    target_reference text,
    traceparent text NOT NULL,
    state text NOT NULL
      CHECK (state IN ('submitting', 'submitted', 'succeeded', 'failed', 'indeterminate', 'cancelled')),
    base_sequence integer NOT NULL,
    sequence integer NOT NULL CHECK (sequence IN (base_sequence + 1, base_sequence + 2)),
    claimed_at timestamptz NOT NULL,
    lease_until timestamptz NOT NULL,
    -- The deadline in the provider's request; null if this attempt sends nothing.
    valid_until timestamptz,
    outcome_event text,
    outcome_at timestamptz,
    upstream_reference text,
    -- The provider's facts about the resource.
    resource jsonb,
    failure_code text,
    failure_detail text,
    late_answer jsonb,
    late_answer_delivered boolean NOT NULL DEFAULT false,
    CHECK ((state = 'submitting') = (outcome_event IS NULL)),
    CHECK ((outcome_event IS NULL) = (outcome_at IS NULL))
  ) PARTITION BY RANGE (operation_id);
  CREATE INDEX submissions_late ON submissions (operation_id)
    WHERE late_answer IS NOT NULL AND NOT late_answer_delivered;
  CREATE TABLE submissions_rest PARTITION OF submissions DEFAULT
    WITH (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.02);
  CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'submission rows are permanent'; END $$;
  CREATE TRIGGER submissions_are_permanent BEFORE DELETE OR TRUNCATE ON submissions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();
  CREATE TRIGGER submissions_are_permanent BEFORE DELETE OR TRUNCATE ON submissions_rest
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();

  -- The operations that were claimed together, until everybody who has to know their events has confirmed them.
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

  -- The targets under which nothing is claimed.
  CREATE TABLE fences (
    target text NOT NULL CHECK (target IN ('grant', 'client', 'binding', 'mandate')),
    target_id text NOT NULL,
    reason text NOT NULL,
    fenced_at timestamptz NOT NULL,
    PRIMARY KEY (target, target_id)
  );

  -- The newest version of each fence that was asked for, set or lifted.
  CREATE TABLE fence_versions (
    target text NOT NULL CHECK (target IN ('grant', 'client', 'binding', 'mandate')),
    target_id text NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    PRIMARY KEY (target, target_id)
  );

  -- The tables that are partitioned by month. began is the start of their first month, and until the end of the last one
  -- that has a partition. A clock may be late by a day.
  CREATE TABLE month_tables (
    name text COLLATE "C" PRIMARY KEY,
    key text COLLATE "C" NOT NULL,
    began timestamptz NOT NULL DEFAULT date_trunc('month', now() - interval '1 day', 'UTC'),
    until timestamptz NOT NULL DEFAULT date_trunc('month', now() - interval '1 day', 'UTC')
  );
  INSERT INTO month_tables (name, key) VALUES ('submissions', 'operation_id');

  -- Ids that were generated before it are never accepted and never submitted: their records may be in the archive alone.
  CREATE TABLE archive_horizon (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    before timestamptz NOT NULL
  );

  CREATE TABLE archived_months (
    month text COLLATE "C" PRIMARY KEY,
    from_id uuid NOT NULL,
    until_id uuid NOT NULL,
    stage text COLLATE "C" NOT NULL CHECK (stage IN ('detached', 'written', 'removed')),
    -- The manifest of the files; null until they are written and verified.
    manifest json,
    changed_at timestamptz NOT NULL,
    CHECK ((stage = 'detached') = (manifest IS NULL))
  );

  -- The least id of a time.
  CREATE FUNCTION id_from(at timestamptz) RETURNS uuid LANGUAGE sql STABLE STRICT AS $f$
    SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
  $f$;

  -- Makes an empty table like the default partition, with its storage options and its triggers on statements; PostgreSQL adds
  -- the triggers on rows. The service reads it like any other table, and writes to it through the partitioned table alone.
  CREATE FUNCTION make_partition(parent text, partition text) RETURNS void LANGUAGE plpgsql AS $f$
  DECLARE
    rest constant text := parent || '_rest';
    storage constant text := (SELECT ' WITH (' || array_to_string(reloptions, ', ') || ')' FROM pg_class WHERE oid = rest::regclass);
    definition text;
  BEGIN
    EXECUTE concat(format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', partition, rest), storage);
    FOR definition IN SELECT pg_get_triggerdef(oid) FROM pg_trigger
      WHERE tgrelid = rest::regclass AND NOT tgisinternal AND tgtype & 1 = 0 LOOP
      EXECUTE replace(definition, format(' ON %I.%I ', current_schema(), rest), format(' ON %I.%I ', current_schema(), partition));
    END LOOP;
    IF current_user <> current_schema() AND EXISTS (SELECT FROM pg_roles WHERE rolname = current_schema()) THEN
      EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON %I FROM %I', partition, current_schema());
    END IF;
  END
  $f$;

  -- Moves rows of ids between two partitions, as their owner alone can.
  CREATE FUNCTION move_rows(source text, target text, key text, from_id uuid, until_id uuid) RETURNS void LANGUAGE plpgsql AS $f$
  DECLARE
    columns text := (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = source::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
  BEGIN
    EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', source);
    EXECUTE format('WITH gone AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING %s) INSERT INTO %I (%s) SELECT %s FROM gone',
      source, key, from_id, key, until_id, columns, target, columns, columns);
    EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', source);
  END
  $f$;

  -- Makes the partitions up to the month after the next, and answers with the number that was made. The service calls it
  -- with the rights of the owner: it takes no argument, and can do nothing else. Rows that wait in the default partition
  -- for a new month are moved into it.
  CREATE FUNCTION make_months() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET lock_timeout = '2s' SET timezone = 'UTC' AS $f$
  DECLARE
    final constant timestamptz := date_trunc('month', now()) + interval '3 months';
    each record;
    month timestamptz;
    partition text;
    made integer := 0;
  BEGIN
    FOR each IN SELECT name, key, until FROM month_tables WHERE until < final ORDER BY name FOR UPDATE SKIP LOCKED LOOP
      month := each.until;
      WHILE month < final LOOP
        partition := each.name || to_char(month, '_YYYY_MM');
        PERFORM make_partition(each.name, partition);
        EXECUTE format('LOCK TABLE ONLY %I IN SHARE UPDATE EXCLUSIVE MODE', each.name);
        EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', each.name || '_rest');
        PERFORM move_rows(each.name || '_rest', partition, each.key, id_from(month), id_from(month + interval '1 month'));
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', each.name, partition,
          id_from(month), id_from(month + interval '1 month'));
        month := month + interval '1 month';
        made := made + 1;
      END LOOP;
      UPDATE month_tables SET until = month WHERE name = each.name;
    END LOOP;
    RETURN made;
  END
  $f$;
  DO $f$ BEGIN
    EXECUTE format('ALTER FUNCTION make_months() SET search_path = %I, pg_temp', current_schema());
  END $f$;

  -- The number of rows that no month has taken; more than 10,000 are not counted.
  CREATE FUNCTION rows_outside_months() RETURNS integer LANGUAGE plpgsql STABLE AS $f$
  DECLARE
    each record;
    found integer;
    total integer := 0;
  BEGIN
    FOR each IN SELECT name FROM month_tables LOOP
      EXECUTE format('SELECT count(*) FROM (SELECT FROM %I LIMIT 10000) few', each.name || '_rest') INTO found;
      total := total + found;
    END LOOP;
    RETURN total;
  END
  $f$;

  -- What this schema knows of its witness. One row, once there is a witness.
  CREATE TABLE witness (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    -- The last epoch that was compared with the marks.
    verified_epoch text,
    -- The id of the witness, and the sequence at which this schema saw its epoch last.
    made text NOT NULL,
    epoch_sequence bigint NOT NULL DEFAULT 0,
    -- Operations whose id is older and that are not claimed may have been sent in a lost time.
    recovery_point timestamptz
  );

  -- The number of the last marked transaction of each writer, and the sequence of its last mark in the witness.
  CREATE TABLE witness_marks (
    writer text COLLATE "C" PRIMARY KEY,
    epoch text COLLATE "C" NOT NULL,
    number bigint NOT NULL CHECK (number > 0),
    sequence bigint NOT NULL,
    marked_at timestamptz NOT NULL
  ) WITH (fillfactor = 50);

  -- The epoch of this database: a restore, a promotion and a restart each begin a new one, and so does a restore of this schema alone,
  -- because the table has another file then.
  CREATE FUNCTION database_epoch() RETURNS text LANGUAGE sql STABLE AS $f$
    SELECT concat_ws('/', system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
      (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint, pg_relation_filenode('witness_marks'))
    FROM pg_control_system()
  $f$;

  -- Counts a transaction. Refuses it if this database was not compared with the witness since it started, or if a later one was counted.
  CREATE FUNCTION mark(by_writer text, to_number bigint, seen_sequence bigint) RETURNS void LANGUAGE plpgsql AS $f$
  BEGIN
    UPDATE witness_marks SET number = to_number, sequence = seen_sequence, marked_at = clock_timestamp()
      WHERE writer = by_writer AND epoch = database_epoch() AND number < to_number;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'this database is not known to be the newest' USING ERRCODE = 'FA001';
    END IF;
  END
  $f$;
`)
