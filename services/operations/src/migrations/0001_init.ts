/**
 * All tables of operations. The tables themselves refuse a second decision on an id, a second operation for a key, a
 * second state for a sequence, a transition that the machine does not know, a change of history, and a payload that
 * outlives its outcome.
 *
 * Evidence and parked transitions are json, not jsonb: json keeps the text as it was sent, even an escaped NUL.
 *
 * Operations and their history are partitioned by the month in which the id was generated, so that a settled month can be
 * archived and removed as a whole. A month is a range of ids: the first 48 bits of a UUID of version 7 are the
 * milliseconds. The command `migrate` and the service make the months.
 *
 * Invariant: an insert never fails because a month is missing. Every id that no month takes goes to the default partition.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
  -- Accept and void compete for this primary key. offer_id names the one accept that won.
  CREATE TABLE decisions (
    operation_id uuid PRIMARY KEY,
    accepted boolean NOT NULL,
    offer_id uuid,
    request_hash text COLLATE "C",
    decided_at timestamptz NOT NULL
  );

  CREATE TABLE idempotency_keys (
    owner_id text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    route text COLLATE "C" NOT NULL,
    request_hash text COLLATE "C" NOT NULL,
    operation_id uuid NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (owner_id, client_id, key, route)
  );
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

  -- The indexes hold only columns that never change, so that every move of an operation is heap-only. Half of a page is
  -- room for the moves: the accepted row, with its payload, is the longest one.
  CREATE TABLE operations (
    id uuid PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    grant_id text COLLATE "C" NOT NULL,
    binding_id text COLLATE "C" NOT NULL,
    mandate_id uuid,
    kind text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    sequence integer NOT NULL CHECK (sequence > 0),
    failure_code text,
    failure_detail text,
    resource_type text NOT NULL,
    resource_id uuid NOT NULL,
    -- The provider's facts about the resource.
    resource_facts jsonb,
    -- The provider's references of the result, and of the resource that the operation names.
    upstream_reference text,
    target_reference text,
    next_reconcile_at timestamptz,
    action_required jsonb,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    accepted_at timestamptz,
    -- The time at which the grant or the mandate ends. Nothing is sent from then on.
    authority_ends_at timestamptz,
    payload_sealed bytea,
    traceparent text NOT NULL,
    CONSTRAINT payload_gone_with_outcome CHECK (payload_sealed IS NULL OR state IN ('requires_action', 'accepted', 'submitting'))
  ) PARTITION BY RANGE (id);
  -- Sealed bytes do not compress.
  ALTER TABLE operations ALTER COLUMN payload_sealed SET STORAGE EXTERNAL;
  CREATE INDEX operations_of_owner ON operations (owner_id, client_id, created_at, id);
  CREATE INDEX operations_of_client ON operations (client_id, kind, created_at, id);
  CREATE TABLE operations_rest PARTITION OF operations DEFAULT
    WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

  -- Operations that were accepted together and may have no outcome. Almost all of them have their outcome when the job first
  -- looks at them: the row then goes. Otherwise it keeps those without one.
  CREATE TABLE in_flight_batches (
    batch_id uuid PRIMARY KEY,
    operation_ids uuid[] NOT NULL CHECK (cardinality(operation_ids) > 0),
    -- The time of the next job.
    publish_after timestamptz NOT NULL
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.2);
  -- A batch of 128 ids has 2 kB, which would be moved out of the row.
  ALTER TABLE in_flight_batches ALTER COLUMN operation_ids SET STORAGE PLAIN;

  -- Operations that were accepted after an approval and may have no outcome.
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
  CREATE FUNCTION note_unsuccessful() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      INSERT INTO unsuccessful (operation_id, outcome, kind, client_id, grant_id, created_at)
      VALUES (NEW.id, NEW.state, NEW.kind, NEW.client_id, NEW.grant_id, NEW.created_at) ON CONFLICT DO NOTHING;
      RETURN NULL;
    END
  $$;
  CREATE TRIGGER operations_unsuccessful_noted AFTER INSERT OR UPDATE ON operations
    FOR EACH ROW WHEN (NEW.state IN ('failed', 'cancelled')) EXECUTE FUNCTION note_unsuccessful();

  -- The moves of operations. The first move is derived from the operation. A claim that arrived together with the move after
  -- it is the time claimed_at of that move's row. A transition that the machine gains needs a new migration.
  CREATE TABLE history (
    operation_id uuid NOT NULL,
    sequence integer NOT NULL,
    from_state text COLLATE "C" NOT NULL,
    event text COLLATE "C" NOT NULL,
    to_state text COLLATE "C" NOT NULL,
    moved_by text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL,
    failure_code text,
    reason text,
    evidence json,
    claimed_at timestamptz,
    PRIMARY KEY (operation_id, sequence),
    CONSTRAINT legal_transition CHECK (from_state || ' ' || event || ' ' || to_state || ' ' || moved_by IN (
      'new accept accepted operations',
      'new accept_for_approval requires_action operations',
      'requires_action approval_granted accepted operations',
      'requires_action approval_declined cancelled operations',
      'requires_action approval_expired cancelled operations',
      'requires_action approval_failed failed operations',
      'accepted claim submitting submitter',
      'accepted fail_before_submission failed submitter',
      'accepted cancel_before_submission cancelled submitter',
      'submitting provider_accepted submitted submitter',
      'submitting provider_completed succeeded submitter',
      'submitting provider_refused failed submitter',
      'submitting outcome_unknown indeterminate submitter',
      'submitting lease_expired indeterminate submitter',
      'submitted settled succeeded reconciler',
      'submitted settlement_failed failed reconciler',
      'submitted result_unclear indeterminate reconciler',
      'indeterminate proved_submitted submitted reconciler',
      'indeterminate proved_succeeded succeeded reconciler',
      'indeterminate proved_failed failed reconciler'
    ))
  ) PARTITION BY RANGE (operation_id);
  -- Rows lie in the order of their time. An entry stands for a range of pages, and insertion writes none.
  CREATE INDEX history_by_time ON history USING brin (at) WITH (pages_per_range = 16, autosummarize = on);
  CREATE TABLE history_rest PARTITION OF history DEFAULT;
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END
  $$;
  CREATE TRIGGER history_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON history
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER history_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON history_rest
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  CREATE VIEW moves AS
    SELECT operation_id, sequence, from_state, event, to_state, moved_by, at, failure_code, reason, evidence FROM history
    UNION ALL
    SELECT operation_id, sequence - 1, 'accepted', 'claim', 'submitting', 'submitter', claimed_at, NULL, NULL, NULL
    FROM history WHERE claimed_at IS NOT NULL
    UNION ALL
    SELECT id, 1, 'new', CASE WHEN for_approval THEN 'accept_for_approval' ELSE 'accept' END,
      CASE WHEN for_approval THEN 'requires_action' ELSE 'accepted' END, 'operations', created_at, NULL, NULL, NULL
    FROM (SELECT id, created_at, state = 'requires_action' OR EXISTS (SELECT FROM history h
        WHERE h.operation_id = o.id AND h.sequence = 2 AND h.from_state = 'requires_action') AS for_approval
      FROM operations o) begun;

  -- What could not be projected, kept for an operator. The digest of the transition keeps repeats out.
  CREATE TABLE parked_events (
    digest bytea PRIMARY KEY,
    operation_id text NOT NULL,
    reason text NOT NULL,
    transition json NOT NULL,
    parked_at timestamptz NOT NULL
  );

  -- The handoff of each operation to the provider's approval page, and the time of its next check. The operation itself holds
  -- the data that the owner is shown. One row decides between all callers that learn the owner's answer.
  CREATE TABLE approvals (
    operation_id uuid PRIMARY KEY,
    state text COLLATE "C" NOT NULL
      CHECK (state IN ('unprepared', 'waiting', 'granted', 'declined', 'expired', 'failed')),
    -- The provider's own reference of the approval; null where none was needed, too.
    approval text COLLATE "C",
    expires_at timestamptz,
    poll_after_ms integer CHECK (poll_after_ms > 0),
    -- Unavailable answers in a row.
    failures integer NOT NULL,
    -- Nobody asks the provider before it.
    ask_after timestamptz NOT NULL,
    -- When the job looks after it.
    next_check_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT open_ones_are_looked_after CHECK ((state IN ('unprepared', 'waiting')) = (next_check_at IS NOT NULL)),
    CONSTRAINT waiting_for_something CHECK (
      state <> 'waiting' OR (approval IS NOT NULL AND expires_at IS NOT NULL AND poll_after_ms IS NOT NULL))
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
  CREATE INDEX approvals_due ON approvals (next_check_at) WHERE next_check_at IS NOT NULL;

  -- The requests for an owner's confirmation, and the owner's decisions. A request itself is never stored: its hash identifies
  -- it, and the summary and the facts hold the words that the owner read. An expired intent keeps its last status.
  CREATE TABLE confirmation_intents (
    id uuid PRIMARY KEY,
    owner_id text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    grant_id text COLLATE "C" NOT NULL,
    -- The connection over which the request goes: no confirmation outlives it.
    binding_id text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    request_hash text COLLATE "C" NOT NULL,
    summary text NOT NULL,
    -- The client's facts, and the owner's, which name the other applications.
    facts jsonb NOT NULL,
    -- The quotes of the payload (memo, purpose), until the intent is used, declined or over.
    quoted_sealed bytea,
    status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'confirmed', 'declined', 'consumed')),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    decided_at timestamptz,
    -- When the owner who decided had signed in.
    authenticated_at timestamptz,
    -- One transaction writes it and the operation.
    consumed_operation_id uuid,
    CONSTRAINT decided_by_somebody CHECK (
      (status = 'pending') = (decided_at IS NULL) AND (decided_at IS NULL) = (authenticated_at IS NULL)),
    CONSTRAINT consumed_by_an_operation CHECK ((status = 'consumed') = (consumed_operation_id IS NOT NULL))
  );
  CREATE INDEX confirmation_intents_by_expiry ON confirmation_intents (expires_at);
  CREATE INDEX confirmation_intents_of_owner ON confirmation_intents (owner_id, expires_at) WHERE status = 'pending';
  CREATE INDEX confirmation_intents_quoting ON confirmation_intents (expires_at) WHERE quoted_sealed IS NOT NULL;

  -- The resource of operations that pay. It holds the payment's data for as long as the operation exists.
  CREATE TABLE transfers (
    -- The resource of the operation.
    id uuid PRIMARY KEY,
    operation_id uuid NOT NULL UNIQUE,
    owner_id text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    mandate_id uuid,
    beneficiary_id uuid NOT NULL,
    amount numeric NOT NULL CHECK (amount > 0),
    currency text COLLATE "C" NOT NULL,
    rule text,
    -- A person may be named in it. Sealed in the context of the id.
    reference_sealed bytea,
    -- The UTC day in which it was reserved: a release goes there, whenever it comes.
    day date NOT NULL,
    released_at timestamptz,
    created_at timestamptz NOT NULL
  ) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
  CREATE INDEX transfers_newest ON transfers (owner_id, client_id, created_at, id);

  -- The reservations of an owner and client for a UTC day, against the daily limit of any grant that the client holds that day.
  CREATE TABLE ceiling_days (
    owner_id text COLLATE "C" NOT NULL,
    client_id text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    day date NOT NULL,
    -- The sum of the transfers of this owner, client, currency and day that are not released.
    reserved numeric NOT NULL CHECK (reserved >= 0),
    PRIMARY KEY (owner_id, client_id, currency, day)
  ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);

  -- The tables that are partitioned by month. began is the start of their first month, and until the end of the last one
  -- that has a partition. A clock may be late by a day.
  CREATE TABLE month_tables (
    name text COLLATE "C" PRIMARY KEY,
    key text COLLATE "C" NOT NULL,
    began timestamptz NOT NULL DEFAULT date_trunc('month', now() - interval '1 day', 'UTC'),
    until timestamptz NOT NULL DEFAULT date_trunc('month', now() - interval '1 day', 'UTC')
  );
  INSERT INTO month_tables (name, key) VALUES ('operations', 'id'), ('history', 'operation_id');

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
