/**
 * Bindings with the outbox of their changes, the owner of each provider's customer, the sign-ins under way, the writes
 * that disconnect, and the verification of owners with each change of it and the visits where owners prove their
 * identity.
 *
 * Invariants: a binding that was disconnected never comes back. Connecting again makes a new one. Fences on bindings
 * are therefore only ever set, and a late fence request does no harm. A customer's owner never changes.
 *
 * No table of the verification refers to `bindings` by a foreign key: its check would lock a binding after the owner's
 * row, against the order of all other locks, and bindings are never deleted.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`

CREATE TABLE writes (
  operation_id uuid PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  resource_id uuid NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  idempotency_key text COLLATE "C",
  request_hash text COLLATE "C",
  state text NOT NULL CHECK (state IN ('draft', 'accepted', 'void')),
  outcome text CHECK (outcome IN ('succeeded', 'failed', 'cancelled')),
  operation_sequence int NOT NULL,
  next_check_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  voided_at timestamptz,
  -- Nothing more will become of it: no job needs the row.
  settled boolean NOT NULL GENERATED ALWAYS AS (state = 'void' OR outcome IS NOT NULL) STORED,
  CHECK ((state = 'void') = (voided_at IS NOT NULL)),
  CHECK ((idempotency_key IS NULL) = (request_hash IS NULL)),
  CHECK (state <> 'draft' OR idempotency_key IS NOT NULL),
  CHECK (state <> 'void' OR idempotency_key IS NULL),
  CHECK (outcome IS NULL OR state = 'accepted')
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
-- No index changes when a draft is accepted, so that this is a heap-only update.
CREATE UNIQUE INDEX writes_key ON writes (owner_id, client_id, route, idempotency_key, request_hash);
CREATE INDEX writes_to_check ON writes (next_check_at) WHERE NOT settled;
CREATE INDEX writes_void ON writes (voided_at) WHERE voided_at IS NOT NULL;

CREATE TABLE parked_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  parked_at timestamptz NOT NULL,
  reason text NOT NULL,
  event text NOT NULL
);

CREATE TABLE bindings (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  provider text NOT NULL,
  display_name text,
  status text NOT NULL CHECK (status IN ('connected', 'disconnecting', 'disconnected')),
  source text NOT NULL CHECK (source IN ('declared', 'sign_in')),
  credentials_sealed bytea,
  -- The revoke that was drafted or accepted and has no outcome yet.
  pending_operation_id uuid,
  connected_at timestamptz NOT NULL,
  disconnecting_at timestamptz,
  disconnected_at timestamptz,
  updated_at timestamptz NOT NULL,
  -- When its credentials are checked for erasure next.
  erase_check_at timestamptz NOT NULL DEFAULT '-infinity',
  CHECK (credentials_sealed IS NOT NULL OR status = 'disconnected'),
  CONSTRAINT disconnecting_by_an_operation
    CHECK (status <> 'disconnecting' OR num_nonnulls(pending_operation_id, disconnecting_at) = 2)
);
CREATE UNIQUE INDEX bindings_one_connected ON bindings (owner_id) WHERE status = 'connected';
CREATE INDEX bindings_of_owner ON bindings (owner_id, connected_at DESC);
CREATE INDEX bindings_to_erase ON bindings (erase_check_at)
  WHERE status = 'disconnected' AND credentials_sealed IS NOT NULL AND pending_operation_id IS NULL;

CREATE TABLE announcements (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner_id uuid NOT NULL,
  binding_id uuid NOT NULL REFERENCES bindings (id),
  fence boolean NOT NULL,
  fenced_at timestamptz,
  announced_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX announcements_to_announce ON announcements (id) WHERE announced_at IS NULL;
CREATE INDEX announcements_to_fence ON announcements (id) WHERE fence AND fenced_at IS NULL;
CREATE INDEX announcements_unfenced ON announcements (binding_id) WHERE fence AND fenced_at IS NULL;

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
  -- The response with which the browser came back from an OpenID provider, until there is a result.
  response_sealed bytea,
  -- Until then, one caller alone asks the provider with it.
  asked_until timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- 'refused': the response was not the provider's.
  outcome text CHECK (outcome IN ('signed_in', 'declined', 'refused')),
  owner_id uuid,
  display_name text,
  locale text,
  timezone text,
  -- Until the owner connects with them, or the sign-in expires.
  credentials_sealed bytea,
  CHECK ((outcome IS NULL) = (authentication_sealed IS NOT NULL)),
  CHECK (outcome IS NOT DISTINCT FROM 'signed_in' OR num_nonnulls(owner_id, display_name, locale, timezone) = 0),
  CONSTRAINT signed_in_is_somebody
    CHECK ((outcome IS NOT DISTINCT FROM 'signed_in') = (num_nonnulls(owner_id, locale, timezone) = 3)),
  CONSTRAINT credentials_of_a_signed_in
    CHECK (credentials_sealed IS NULL OR outcome IS NOT DISTINCT FROM 'signed_in')
);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);
CREATE INDEX sign_ins_to_connect ON sign_ins (owner_id) WHERE credentials_sealed IS NOT NULL;

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
`)
