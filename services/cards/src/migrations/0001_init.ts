/**
 * Cards from their draft on, the writes that create and change them, and the requests to see a card number, without the
 * page's address.
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

CREATE TABLE cards (
  id uuid PRIMARY KEY,
  -- That made it.
  operation_id uuid NOT NULL,
  owner_id text NOT NULL,
  label text,
  type text NOT NULL CHECK (type IN ('virtual', 'physical')),
  currency text NOT NULL,
  state text NOT NULL CHECK (state IN
    ('draft', 'pending', 'active', 'freezing', 'frozen', 'unfreezing', 'closing', 'closed', 'failed', 'void')),
  -- Where the change that is under way began.
  prior_state text CHECK (prior_state IN ('active', 'frozen')),
  -- Drafts included, until all have settled, oldest first: [{ action, operation_id, state, changed_at }].
  changes jsonb NOT NULL DEFAULT '[]',
  -- The provider's own, once it is known.
  upstream_reference text,
  brand text,
  last_four text CHECK (last_four ~ '^[0-9]{4}$'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((prior_state IS NOT NULL) = (state IN ('freezing', 'unfreezing', 'closing'))),
  CHECK (prior_state IS NULL OR changes <> '[]')
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX cards_of_owner ON cards (owner_id, created_at DESC, id DESC);

CREATE TABLE reveal_sessions (
  id uuid PRIMARY KEY,
  card_id uuid NOT NULL,
  owner_id text NOT NULL,
  client_id text NOT NULL,
  created_at timestamptz NOT NULL,
  -- The hosted page's; null where the provider opened none, as far as is known.
  expires_at timestamptz
);
CREATE INDEX reveal_sessions_by_age ON reveal_sessions (created_at);
`)
