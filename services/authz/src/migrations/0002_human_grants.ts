/**
 * Grants of human owners, the owners as pages show them, sign-ins under way, the last polls of devices, stages of
 * signing keys, and the actor of an audit entry. It only adds, so a replica of the previous release continues beside
 * it.
 *
 * Invariant: an owner has at most one unrevoked grant to a client (index one_human_grant).
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const humanGrants = sqlMigration(`
ALTER TABLE grants
  ADD COLUMN openid boolean NOT NULL DEFAULT false,
  ADD COLUMN policy jsonb,
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN status_by text,
  ADD COLUMN status_changed_at timestamptz,
  ADD CONSTRAINT human_grant_is_bounded CHECK (kind = 'service' OR (policy IS NOT NULL AND expires_at IS NOT NULL));
UPDATE grants SET status_changed_at = updated_at;
CREATE UNIQUE INDEX one_human_grant ON grants (owner_id, client_id) WHERE kind = 'human' AND status <> 'revoked';
CREATE INDEX grants_by_expiry ON grants (expires_at) WHERE kind = 'human' AND status <> 'revoked';
CREATE INDEX grants_revoked ON grants (status_changed_at) WHERE status = 'revoked';

CREATE TABLE owners (
  owner_id uuid PRIMARY KEY,
  display_name text,
  locale text NOT NULL,
  timezone text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

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

CREATE TABLE device_polls (
  id_hash bytea PRIMARY KEY,
  polled_at timestamptz NOT NULL,
  early boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX device_polls_by_expiry ON device_polls (expires_at);

ALTER TABLE signing_keys ADD COLUMN signs_from timestamptz;
UPDATE signing_keys SET signs_from = created_at;

CREATE INDEX changes_by_age ON changes (created_at);

ALTER TABLE audit
  ALTER COLUMN client_id DROP NOT NULL,
  ADD COLUMN owner_id uuid,
  ADD COLUMN actor text,
  ADD COLUMN request_id text,
  ADD COLUMN remote_address text;
CREATE INDEX audit_of_grant ON audit (grant_id, at, id) WHERE grant_id IS NOT NULL;
`)
