/**
 * Beneficiaries from their draft on, never their details. The key identity and request hash of a row that is not void
 * are unique, so equal requests meet in one row; a row gives its identity up (null) when it is void or its key was pruned.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
CREATE TABLE beneficiaries (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL UNIQUE,
  owner_id text NOT NULL,
  client_id text NOT NULL,
  route text NOT NULL,
  idempotency_key text,
  request_hash text,
  name text NOT NULL,
  nickname text,
  country text NOT NULL,
  currency text NOT NULL,
  payout_schema_id text NOT NULL,
  is_external boolean NOT NULL,
  purpose_code text,
  masked_details jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'active', 'failed', 'void')),
  operation_sequence int NOT NULL,
  next_check_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  voided_at timestamptz,
  -- Nothing more will become of it: no sweep needs the row.
  settled boolean NOT NULL GENERATED ALWAYS AS (state NOT IN ('draft', 'pending')) STORED,
  CHECK ((state = 'void') = (voided_at IS NOT NULL)),
  CHECK ((idempotency_key IS NULL) = (request_hash IS NULL)),
  CHECK (state <> 'draft' OR idempotency_key IS NOT NULL),
  CHECK (state <> 'void' OR idempotency_key IS NULL)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
-- No index changes when a draft becomes pending, so that this is a heap-only update.
CREATE UNIQUE INDEX beneficiaries_key ON beneficiaries (owner_id, client_id, route, idempotency_key, request_hash);
CREATE INDEX beneficiaries_of_owner ON beneficiaries (owner_id, created_at DESC, id DESC);
CREATE INDEX beneficiaries_to_check ON beneficiaries (next_check_at) WHERE NOT settled;
CREATE INDEX beneficiaries_void ON beneficiaries (voided_at) WHERE voided_at IS NOT NULL;

CREATE TABLE parked_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  parked_at timestamptz NOT NULL,
  reason text NOT NULL,
  event text NOT NULL
);
`)
