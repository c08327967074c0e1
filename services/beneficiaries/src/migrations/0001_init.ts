/**
 * Beneficiaries from their draft on, without their details; mandates with the sums of their reservations; and the
 * writes that create and change both. The tables check the limits as well, so no faulty statement can reserve more than a
 * limit allows.
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

CREATE TABLE beneficiaries (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL UNIQUE,
  owner_id text NOT NULL,
  name text NOT NULL,
  nickname text,
  country text NOT NULL,
  currency text NOT NULL,
  payout_schema_id text NOT NULL,
  is_external boolean NOT NULL,
  purpose_code text,
  masked_details jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'active', 'failed', 'void')),
  -- The provider's own, once it is known.
  upstream_reference text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX beneficiaries_of_owner ON beneficiaries (owner_id, created_at DESC, id DESC);

CREATE TABLE mandates (
  id uuid PRIMARY KEY,
  operation_id uuid NOT NULL UNIQUE,
  owner_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  beneficiary_id uuid NOT NULL,
  currency text NOT NULL,
  authorized_clients text[] NOT NULL,
  authorized_rules text[] NOT NULL,
  per_payment_max numeric NOT NULL CHECK (per_payment_max > 0),
  daily_max numeric NOT NULL CHECK (daily_max >= per_payment_max),
  weekly_max numeric NOT NULL CHECK (weekly_max >= daily_max),
  monthly_max numeric NOT NULL CHECK (monthly_max >= weekly_max),
  total_cap numeric NOT NULL CHECK (total_cap >= monthly_max),
  payment_count int NOT NULL CHECK (payment_count BETWEEN 1 AND 10000),
  expires_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'active', 'suspending', 'suspended', 'revoking', 'revoked',
    'revocation_failed', 'failed', 'void')),
  -- Unsettled, the undecided draft included: one of each at a time.
  suspend_operation_id uuid,
  revoke_operation_id uuid,
  -- The provider's own, once it is known.
  upstream_reference text,
  reserved_total numeric NOT NULL DEFAULT 0 CHECK (reserved_total BETWEEN 0 AND total_cap + lost_total),
  reserved_count int NOT NULL DEFAULT 0 CHECK (reserved_count BETWEEN 0 AND payment_count + lost_count),
  -- The part of it that counts payments which the database has lost.
  lost_total numeric NOT NULL DEFAULT 0 CHECK (lost_total >= 0),
  lost_count int NOT NULL DEFAULT 0 CHECK (lost_count >= 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX mandates_of_owner ON mandates (owner_id, created_at DESC, id DESC);

-- What is reserved in a UTC day, ISO week or month, so that no decision adds reservations up.
CREATE TABLE mandate_windows (
  mandate_id uuid NOT NULL,
  period text COLLATE "C" NOT NULL CHECK (period IN ('day', 'week', 'month')),
  starts_on date NOT NULL CHECK (starts_on = date_trunc(period, starts_on::timestamp)::date),
  cap numeric NOT NULL,
  reserved numeric NOT NULL CHECK (reserved BETWEEN 0 AND cap + lost),
  lost numeric NOT NULL DEFAULT 0 CHECK (lost >= 0),
  PRIMARY KEY (mandate_id, period, starts_on)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE mandate_reservations (
  operation_id uuid PRIMARY KEY,
  mandate_id uuid NOT NULL,
  amount numeric NOT NULL CHECK (amount > 0),
  -- The windows in which it was reserved, and in which alone it is released.
  day date NOT NULL,
  week date NOT NULL,
  month date NOT NULL,
  reserved_at timestamptz NOT NULL,
  released_at timestamptz
) WITH (fillfactor = 80);

-- Payments that the database has lost and counts again. They are never released.
CREATE TABLE mandate_lost_payments (
  operation_id uuid PRIMARY KEY,
  mandate_id uuid NOT NULL
);

-- The fences that the submitter must hold. None is ever lifted.
CREATE TABLE mandate_fences (
  mandate_id uuid PRIMARY KEY,
  reason text NOT NULL,
  confirmed boolean NOT NULL DEFAULT false,
  leased_until timestamptz
) WITH (fillfactor = 60);
CREATE INDEX mandate_fences_unconfirmed ON mandate_fences (mandate_id) WHERE NOT confirmed;

-- The grants that may pay under mandates. Authority ends with its grant, and only a new row renews it.
CREATE TABLE mandate_authorities (
  mandate_id uuid NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  grant_id text COLLATE "C" NOT NULL,
  -- With the mandate itself, or later on the consent page.
  how text NOT NULL CHECK (how IN ('confirmed', 'consented')),
  given_at timestamptz NOT NULL,
  PRIMARY KEY (mandate_id, client_id, grant_id)
);

CREATE FUNCTION refuse_change_of_authority() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'authority under a mandate is never changed';
END $$;
CREATE TRIGGER authority_is_never_changed BEFORE UPDATE ON mandate_authorities
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_authority();
`)
