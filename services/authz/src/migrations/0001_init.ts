/**
 * Clients, grants, owners, sign-ins, OAuth artifacts, keys, and the outboxes of changes for the gateways and the
 * submitter.
 *
 * Invariants: an artifact's id is stored only as a hash, and its content only sealed. An artifact that may be used once
 * is claimed by a primary key or by `consumed_at`. An owner has at most one unrevoked grant to a client (index
 * one_human_grant). The audit only grows: its rows never change.
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

-- A row without bytes is a logo that could not be taken. It is fetched once for each registration.
CREATE TABLE client_logos (
  client_id text COLLATE "C" PRIMARY KEY,
  logo_uri text NOT NULL,
  registered_at timestamptz NOT NULL,
  tried_at timestamptz NOT NULL,
  media_type text,
  digest text COLLATE "C" CHECK (digest ~ '^[0-9a-f]{64}$'),
  bytes bytea CHECK (octet_length(bytes) BETWEEN 1 AND 65536),
  CHECK (num_nonnulls(media_type, digest, bytes) IN (0, 3))
);
CREATE INDEX client_logos_by_digest ON client_logos (digest) WHERE digest IS NOT NULL;

CREATE TABLE owners (
  owner_id uuid PRIMARY KEY,
  display_name text,
  locale text NOT NULL,
  timezone text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

-- The names that owners give to applications for themselves.
CREATE TABLE owner_labels (
  owner_id uuid NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 60),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, client_id)
);

CREATE TABLE grants (
  grant_id uuid PRIMARY KEY,
  client_id text NOT NULL REFERENCES clients,
  kind text NOT NULL CHECK (kind IN ('service', 'human')),
  owner_id uuid NOT NULL,
  subject text NOT NULL,
  scopes text[] NOT NULL,
  openid boolean NOT NULL DEFAULT false,
  policy jsonb,
  status text NOT NULL CHECK (status IN ('active', 'suspended', 'revoked')),
  -- Decides if a grant may be resumed.
  status_reason text,
  status_changed_at timestamptz NOT NULL,
  -- The operator who suspended the grant, the operators' own reason, and the words for the owner.
  suspended_by text,
  suspended_why text,
  suspended_for_owner text,
  -- The connection that a service account acts over, once it is fixed; null until there is one to take.
  binding_id text,
  -- When an operator registered the service account anew; null where that is its creation.
  declared_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz,
  -- The status that is written, where one that ended with its time has a word of its own.
  listed_as text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (CASE WHEN status_reason = 'expired' THEN 'expired' ELSE status END) STORED,
  CONSTRAINT human_grant_is_bounded CHECK (kind = 'service' OR (policy IS NOT NULL AND expires_at IS NOT NULL)),
  CONSTRAINT fixed_for_service_accounts CHECK (kind = 'service' OR num_nonnulls(binding_id, declared_at) = 0)
);
CREATE INDEX grants_by_expiry ON grants (expires_at) WHERE kind = 'human' AND status <> 'revoked';
CREATE UNIQUE INDEX one_service_grant ON grants (client_id) WHERE kind = 'service' AND status <> 'revoked';
CREATE UNIQUE INDEX one_human_grant ON grants (owner_id, client_id) WHERE kind = 'human' AND status <> 'revoked';
CREATE INDEX grants_of_owner ON grants (owner_id);
CREATE INDEX grants_of_subject ON grants (subject);
CREATE INDEX grants_revoked ON grants (status_changed_at) WHERE status = 'revoked';
CREATE INDEX grants_without_binding ON grants (grant_id)
  WHERE kind = 'service' AND status = 'active' AND binding_id IS NULL;
CREATE INDEX grants_by_time ON grants (created_at, grant_id);
-- The condition is said by the lists of all clients alone, so that no other statement is planned over this index.
CREATE INDEX grants_newest ON grants (listed_as, created_at, grant_id) WHERE listed_as <> '';
CREATE INDEX grants_newest_of_client ON grants (client_id, listed_as, created_at, grant_id);

CREATE TABLE sign_ins (
  state_hash bytea PRIMARY KEY,
  browser_hash bytea NOT NULL,
  next_hash bytea NOT NULL,
  content_sealed bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  owner_id uuid,
  authenticated_at timestamptz,
  consumed_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX sign_ins_of_browser ON sign_ins (browser_hash);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);

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

CREATE TABLE device_polls (
  id_hash bytea PRIMARY KEY,
  polled_at timestamptz NOT NULL,
  early boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX device_polls_by_expiry ON device_polls (expires_at);

CREATE TABLE replays (
  id_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX replays_by_expiry ON replays (expires_at);

CREATE TABLE signing_keys (
  kid text PRIMARY KEY,
  private_jwk_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  signs_from timestamptz NOT NULL
);

CREATE TABLE changes (
  sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  change jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX changes_by_age ON changes (created_at);

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
  client_id text,
  grant_id uuid,
  owner_id uuid,
  actor text NOT NULL,
  request_id text,
  remote_address text,
  detail jsonb NOT NULL
);
CREATE INDEX audit_of_client ON audit (client_id, at);
CREATE INDEX audit_of_grant ON audit (grant_id, at, id) WHERE grant_id IS NOT NULL;

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only';
END $$;
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();
`)
