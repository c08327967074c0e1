/**
 * The verification of owners, each change of it, and the visits where owners prove their identity. Nothing here refers
 * to `bindings` by a foreign key: its check would lock a binding after the owner's row, against the order of all other
 * locks, and bindings are never deleted. Owners who are already connected are read at once.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const kyc = sqlMigration(`
CREATE TABLE kyc (
  owner_id uuid PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('not_started', 'pending', 'in_review', 'verified', 'rejected', 'expired')),
  reason_code text,
  -- As the provider says; before it has said anything, when the owner was first asked about.
  changed_at timestamptz NOT NULL,
  -- By which connection the provider was read last, and when that read began.
  binding_id uuid,
  read_at timestamptz,
  -- Until then a change is expected, and looked for again and again.
  follow_until timestamptz,
  -- When the provider is to be read without anybody waiting for it.
  due_at timestamptz,
  CHECK (num_nonnulls(binding_id, read_at) IN (0, 2)),
  CHECK (read_at IS NOT NULL OR (status = 'not_started' AND reason_code IS NULL))
);
CREATE INDEX kyc_due ON kyc (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE kyc_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id uuid NOT NULL,
  binding_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('not_started', 'pending', 'in_review', 'verified', 'rejected', 'expired')),
  reason_code text,
  changed_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL
);
CREATE INDEX kyc_changes_of_owner ON kyc_changes (owner_id, id);
CREATE INDEX kyc_changes_by_age ON kyc_changes (recorded_at);

CREATE TABLE kyc_sessions (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  client_id text NOT NULL,
  binding_id uuid NOT NULL,
  -- What was known of the owner when it was opened: whatever comes after may be its result.
  kyc_status text NOT NULL,
  kyc_changed_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  -- Null until the provider has given its page.
  expires_at timestamptz
);
CREATE INDEX kyc_sessions_of_owner ON kyc_sessions (owner_id, created_at DESC);
CREATE INDEX kyc_sessions_by_age ON kyc_sessions (created_at);

INSERT INTO kyc (owner_id, status, changed_at, due_at)
SELECT owner_id, 'not_started', connected_at, now() FROM bindings WHERE status = 'connected';
`)
