/** Withdrawals from their draft on, each grant's spending of a day, and the writes that make withdrawals. */

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

CREATE TABLE withdrawals (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL UNIQUE,
  owner_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  beneficiary_id uuid NOT NULL,
  amount numeric NOT NULL CHECK (amount > 0),
  currency text COLLATE "C" NOT NULL,
  -- The UTC day in which it was reserved: a release goes there, whenever it comes.
  day date NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'succeeded', 'failed', 'cancelled', 'void')),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE grant_days (
  grant_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  currency text COLLATE "C" NOT NULL,
  -- The sum of the withdrawals of this grant, day and currency whose state holds their amount.
  reserved numeric NOT NULL CHECK (reserved >= 0),
  PRIMARY KEY (grant_id, day, currency)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
`)
