/**
 * The durable disconnect: its writes, the operation that a binding is busy with, and the next time its credentials are
 * checked for erasure. Existing rows are due at once.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const disconnect = sqlMigration(`

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
  -- Nothing more will become of it: no sweep needs the row.
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

ALTER TABLE bindings
  -- The revoke that was drafted or accepted and has no outcome yet.
  ADD COLUMN pending_operation_id uuid,
  ADD COLUMN disconnecting_at timestamptz,
  ADD COLUMN erase_check_at timestamptz NOT NULL DEFAULT '-infinity',
  ADD CONSTRAINT disconnecting_by_an_operation
    CHECK (status <> 'disconnecting' OR num_nonnulls(pending_operation_id, disconnecting_at) = 2);
CREATE INDEX bindings_to_erase ON bindings (erase_check_at)
  WHERE status = 'disconnected' AND credentials_sealed IS NOT NULL AND pending_operation_id IS NULL;
CREATE INDEX announcements_unfenced ON announcements (binding_id) WHERE fence AND fenced_at IS NULL;
`)
