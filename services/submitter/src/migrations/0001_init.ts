/**
 * The permanent submission rows, which are also the outbox of their events, and the fences. The partial indexes hold only rows with
 * work left for a sweep, so they stay small however large the tables are. Every row passes through the indexes, so the tables are
 * vacuumed early, and pages keep room for the updates that follow each insert.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
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
    traceparent text NOT NULL,
    state text NOT NULL
      CHECK (state IN ('submitting', 'submitted', 'succeeded', 'failed', 'indeterminate', 'cancelled')),
    base_sequence integer NOT NULL,
    sequence integer NOT NULL CHECK (sequence IN (base_sequence + 1, base_sequence + 2)),
    claimed_at timestamptz NOT NULL,
    lease_until timestamptz NOT NULL,
    outcome_event text,
    outcome_at timestamptz,
    upstream_reference text,
    failure_code text,
    failure_detail text,
    operations_confirmed_sequence integer NOT NULL DEFAULT 0,
    reconciler_confirmed boolean NOT NULL DEFAULT false,
    publications integer NOT NULL DEFAULT 0,
    republish_at timestamptz NOT NULL,
    late_answer jsonb,
    late_answer_delivered boolean NOT NULL DEFAULT false,
    -- An outcome, and everybody who has to know it knows it: no sweep needs the row any more.
    settled boolean NOT NULL GENERATED ALWAYS AS (state <> 'submitting' AND operations_confirmed_sequence >= sequence
      AND (state NOT IN ('submitted', 'indeterminate') OR reconciler_confirmed)) STORED,
    CHECK ((state = 'submitting') = (outcome_event IS NULL)),
    CHECK ((outcome_event IS NULL) = (outcome_at IS NULL))
  ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);

  -- One index for all sweeps, and no column of it changes with the outcome, so that the outcome is a heap-only update.
  CREATE INDEX submissions_due ON submissions (republish_at) WHERE NOT settled;

  CREATE INDEX submissions_late ON submissions (operation_id)
    WHERE late_answer IS NOT NULL AND NOT late_answer_delivered;

  CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'submission rows are permanent'; END $$;

  CREATE TRIGGER submissions_are_permanent BEFORE DELETE OR TRUNCATE ON submissions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();

  CREATE TABLE fences (
    target text NOT NULL CHECK (target IN ('grant', 'client', 'binding', 'mandate')),
    target_id text NOT NULL,
    reason text NOT NULL,
    fenced_at timestamptz NOT NULL,
    PRIMARY KEY (target, target_id)
  );
`)
