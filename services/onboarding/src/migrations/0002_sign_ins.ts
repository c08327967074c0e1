/**
 * Sign-ins of owners: the owner of each provider's customer, the device authentications under way, and the source of a
 * binding (declared or by sign-in). A customer's owner never changes.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const signIns = sqlMigration(`
ALTER TABLE bindings ADD COLUMN source text NOT NULL DEFAULT 'declared' CHECK (source IN ('declared', 'sign_in'));

CREATE TABLE customers (
  provider text NOT NULL,
  reference text NOT NULL,
  owner_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider, reference),
  UNIQUE (owner_id, provider)
);

CREATE TABLE sign_ins (
  id_hash bytea PRIMARY KEY,
  provider text NOT NULL,
  authentication_sealed bytea,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  outcome text CHECK (outcome IN ('signed_in', 'declined')),
  owner_id uuid,
  binding_id uuid REFERENCES bindings (id),
  display_name text,
  locale text,
  timezone text,
  CHECK ((outcome IS NULL) = (authentication_sealed IS NOT NULL)),
  CHECK ((outcome IS NOT DISTINCT FROM 'signed_in') = (num_nonnulls(owner_id, binding_id, locale, timezone) = 4)),
  CHECK (outcome IS NOT DISTINCT FROM 'signed_in' OR num_nonnulls(owner_id, binding_id, display_name, locale, timezone) = 0)
);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);
`)
