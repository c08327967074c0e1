/**
 * Sign-ins under way, sessions of operators, the audit of their looks and actions, the reads of the provider in
 * stretches of ten minutes, and the circuits of each process at its last report.
 *
 * Invariants: an id that a browser holds is stored only as a hash, and its data only sealed. A sign-in is consumed
 * once. The audit only grows: its rows never change.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
CREATE TABLE sign_ins (
  state_hash bytea PRIMARY KEY,
  browser_hash bytea NOT NULL,
  content_sealed bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);

CREATE TABLE sessions (
  id_hash bytea PRIMARY KEY,
  operator_id text NOT NULL,
  content_sealed bytea NOT NULL,
  used_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  action text NOT NULL,
  operator_id text,
  operator_name text,
  session_key text,
  detail jsonb NOT NULL,
  outcome text NOT NULL,
  request_id text NOT NULL,
  remote_address text
);
CREATE INDEX audit_of_operator ON audit (operator_id, id);
CREATE INDEX audit_of_action ON audit (action, id);
CREATE INDEX audit_of_operator_and_action ON audit (operator_id, action, id);
-- Finds the last equal look, so that a page which refreshes itself does not fill the audit.
CREATE INDEX audit_of_looks ON audit (session_key, action, hashtextextended(detail::text, 0), at)
  WHERE outcome = 'answered' AND session_key IS NOT NULL;

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only';
END $$;
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();

CREATE TABLE provider_reads (
  at timestamptz NOT NULL,
  provider text NOT NULL,
  read text NOT NULL,
  calls bigint NOT NULL,
  failed bigint NOT NULL,
  turned_away bigint NOT NULL,
  total_ms bigint NOT NULL,
  most_ms bigint NOT NULL,
  PRIMARY KEY (at, provider, read)
);

CREATE TABLE provider_circuits (
  reporter uuid NOT NULL,
  provider text NOT NULL,
  read text NOT NULL,
  state text NOT NULL,
  since timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (reporter, provider, read)
);
CREATE INDEX provider_circuits_by_age ON provider_circuits (seen_at);
`)
