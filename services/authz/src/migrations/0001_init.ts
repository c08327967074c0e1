/**
 * Clients, grants, OAuth artifacts, keys, and the outboxes of changes for the gateways and the submitter.
 *
 * Invariants: an artifact's id is stored only as a hash, and its content only sealed. An artifact that may be used once
 * is claimed by a primary key or by `consumed_at`. The audit only grows: its rows never change.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
CREATE TABLE clients (
  client_id text PRIMARY KEY,
  profile text NOT NULL CHECK (profile IN ('web', 'spa', 'native', 'device', 'service')),
  status text NOT NULL CHECK (status IN ('active', 'suspended')),
  registration jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE grants (
  grant_id uuid PRIMARY KEY,
  client_id text NOT NULL REFERENCES clients,
  kind text NOT NULL CHECK (kind IN ('service', 'human')),
  owner_id uuid NOT NULL,
  subject text NOT NULL,
  scopes text[] NOT NULL,
  status text NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
  status_reason text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX grants_of_client ON grants (client_id);
CREATE INDEX grants_of_owner ON grants (owner_id);
CREATE UNIQUE INDEX one_service_grant ON grants (client_id) WHERE kind = 'service' AND status <> 'revoked';

CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  private_jwk_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE replays (
  id_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX replays_by_expiry ON replays (expires_at);

CREATE TABLE artifacts (
  model text NOT NULL,
  id_hash bytea NOT NULL,
  payload_sealed bytea NOT NULL,
  grant_hash bytea,
  uid_hash bytea,
  user_code_hash bytea,
  consumed_at timestamptz,
  expires_at timestamptz,
  PRIMARY KEY (model, id_hash)
);
CREATE INDEX artifacts_of_grant ON artifacts (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX artifacts_by_uid ON artifacts (model, uid_hash) WHERE uid_hash IS NOT NULL;
CREATE INDEX artifacts_by_user_code ON artifacts (model, user_code_hash) WHERE user_code_hash IS NOT NULL;
CREATE INDEX artifacts_by_expiry ON artifacts (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE changes (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  change jsonb NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE fences (
  target text NOT NULL CHECK (target IN ('grant', 'client')),
  target_id text NOT NULL,
  fenced boolean NOT NULL,
  reason text NOT NULL,
  version bigint NOT NULL,
  confirmed_version bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  PRIMARY KEY (target, target_id)
);
CREATE INDEX fences_unconfirmed ON fences (target, target_id) WHERE confirmed_version < version;

CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  event text NOT NULL,
  client_id text NOT NULL,
  grant_id uuid,
  detail jsonb NOT NULL
);
CREATE INDEX audit_of_client ON audit (client_id, at);

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only';
END $$;
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();
`)
