/**
 * All tables of operations. The tables themselves refuse a second decision on an id, a second operation for a key, a
 * second state for a sequence, a transition that the machine does not know, a change of history, and a payload that
 * outlives its outcome.
 * Evidence and parked transitions are json, not jsonb: json keeps the text as it was sent, even an escaped NUL.
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
    upstream_reference text,
    next_reconcile_at timestamptz,
    action_required jsonb,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    accepted_at timestamptz,
    publish_after timestamptz,
    -- A column of its own, so that moves after the first touch no index and stay heap-only.
    unclaimed boolean NOT NULL GENERATED ALWAYS AS (state = 'accepted') STORED,
    payload_sealed bytea,
    traceparent text NOT NULL,
    CONSTRAINT payload_gone_with_outcome CHECK (payload_sealed IS NULL OR state IN ('requires_action', 'accepted', 'submitting'))
  ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
  -- Sealed bytes do not compress.
  ALTER TABLE operations ALTER COLUMN payload_sealed SET STORAGE EXTERNAL;
  CREATE INDEX operations_newest ON operations (owner_id, client_id, subject, created_at, id);
  CREATE INDEX operations_unclaimed ON operations (publish_after) WHERE unclaimed;

  CREATE TABLE legal_transitions (
    from_state text COLLATE "C" NOT NULL,
    event text COLLATE "C" NOT NULL,
    to_state text COLLATE "C" NOT NULL,
    moved_by text COLLATE "C" NOT NULL,
    PRIMARY KEY (from_state, event, to_state, moved_by)
  );
  
  INSERT INTO legal_transitions (from_state, event, to_state, moved_by) VALUES
    ('new', 'accept', 'accepted', 'operations'),
    ('new', 'accept_for_approval', 'requires_action', 'operations'),
    ('requires_action', 'approval_granted', 'accepted', 'operations'),
    ('requires_action', 'approval_declined', 'cancelled', 'operations'),
    ('requires_action', 'approval_expired', 'cancelled', 'operations'),
    ('requires_action', 'approval_failed', 'failed', 'operations'),
    ('accepted', 'claim', 'submitting', 'submitter'),
    ('accepted', 'fail_before_submission', 'failed', 'submitter'),
    ('accepted', 'cancel_before_submission', 'cancelled', 'submitter'),
    ('submitting', 'provider_accepted', 'submitted', 'submitter'),
    ('submitting', 'provider_completed', 'succeeded', 'submitter'),
    ('submitting', 'provider_refused', 'failed', 'submitter'),
    ('submitting', 'outcome_unknown', 'indeterminate', 'submitter'),
    ('submitting', 'lease_expired', 'indeterminate', 'submitter'),
    ('submitted', 'settled', 'succeeded', 'reconciler'),
    ('submitted', 'settlement_failed', 'failed', 'reconciler'),
    ('submitted', 'result_unclear', 'indeterminate', 'reconciler'),
    ('indeterminate', 'proved_submitted', 'submitted', 'reconciler'),
    ('indeterminate', 'proved_succeeded', 'succeeded', 'reconciler'),
    ('indeterminate', 'proved_failed', 'failed', 'reconciler')
  ON CONFLICT DO NOTHING;


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
    PRIMARY KEY (operation_id, sequence),
    FOREIGN KEY (from_state, event, to_state, moved_by) REFERENCES legal_transitions
  );
  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END
  $$;
  CREATE TRIGGER history_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON history
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

  -- What could not be projected, kept for an operator. The digest of the transition keeps repeats out.
  CREATE TABLE parked_events (
    digest bytea PRIMARY KEY,
    operation_id text NOT NULL,
    reason text NOT NULL,
    transition json NOT NULL,
    parked_at timestamptz NOT NULL
  );
`)
