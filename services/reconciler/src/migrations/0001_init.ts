/**
 * The operations under reconciliation, the evidence of every read (append-only), the transitions, and the late answers. The
 * partial indexes hold only the rows with work left.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
  CREATE TABLE reconciliations (
    operation_id uuid PRIMARY KEY,
    kind text NOT NULL,
    resource_id text NOT NULL,
    owner_id text NOT NULL,
    subject text NOT NULL,
    client_id text NOT NULL,
    grant_id text NOT NULL,
    binding_id text NOT NULL,
    -- The provider's reference of the resource that the operation names.
    target_reference text,
    traceparent text NOT NULL,
    state text NOT NULL CHECK (state IN ('submitted', 'indeterminate', 'succeeded', 'failed')),
    sequence integer NOT NULL,
    updated_at timestamptz NOT NULL,
    upstream_reference text,
    -- The deadline in the provider's request. Null if none is known: absence at the provider then proves nothing.
    valid_until timestamptz,
    reads integer NOT NULL DEFAULT 0,
    not_found integer NOT NULL DEFAULT 0,
    evidence_count integer NOT NULL DEFAULT 0,
    shown boolean NOT NULL,
    next_read_at timestamptz,
    woken boolean NOT NULL DEFAULT false,
    locked_until timestamptz,
    lock_token uuid,
    review boolean NOT NULL DEFAULT false,
    review_reason text,
    settled_at timestamptz,
    CHECK ((state IN ('succeeded', 'failed')) = (settled_at IS NOT NULL)),
    CHECK ((settled_at IS NULL) = (next_read_at IS NOT NULL))
  );

  CREATE INDEX reconciliations_due ON reconciliations (next_read_at) WHERE settled_at IS NULL;
  -- Ids are generated in the order of time, so this is also newest or oldest first.
  CREATE INDEX reconciliations_under_review ON reconciliations (operation_id) WHERE review AND settled_at IS NULL;

  CREATE TABLE evidence (
    operation_id uuid NOT NULL REFERENCES reconciliations,
    number integer NOT NULL,
    read text NOT NULL,
    result text NOT NULL,
    observed_at timestamptz NOT NULL,
    digest text NOT NULL,
    sequence integer NOT NULL,
    PRIMARY KEY (operation_id, number)
  );

  CREATE TABLE transitions (
    operation_id uuid NOT NULL REFERENCES reconciliations,
    sequence integer NOT NULL,
    body json NOT NULL,
    confirmed boolean NOT NULL DEFAULT false,
    publications integer NOT NULL DEFAULT 0,
    republish_at timestamptz NOT NULL,
    PRIMARY KEY (operation_id, sequence)
  );

  CREATE INDEX transitions_unconfirmed ON transitions (republish_at) WHERE NOT confirmed;

  CREATE TABLE late_answers (
    operation_id uuid PRIMARY KEY,
    outcome text NOT NULL,
    upstream_reference text,
    -- The provider's facts about the resource.
    resource jsonb,
    failure_code text,
    observed_at timestamptz NOT NULL,
    received_at timestamptz NOT NULL
  );

  CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'evidence is append-only'; END $$;

  CREATE TRIGGER evidence_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON evidence
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
`)
