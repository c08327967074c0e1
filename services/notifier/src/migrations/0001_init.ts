/**
 * Subscriptions, and the deliveries with their results. The key of a delivery is subscription, operation and sequence,
 * so a transition that arrives twice causes one notification.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const init = sqlMigration(`
CREATE TABLE subscriptions (
  id uuid PRIMARY KEY,
  owner_id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  -- Of the URL: what goes to one host is bounded together.
  host text COLLATE "C" NOT NULL,
  description text,
  -- Null: all there are.
  events text[],
  secret_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- The first failure since anything succeeded.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text CHECK (disabled_reason IN ('endpoint_gone', 'endpoint_failing')),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
CREATE INDEX subscriptions_of_client ON subscriptions (owner_id, client_id, created_at DESC, id DESC);

-- No foreign key: a subscription goes at once, and its deliveries when they are due or past their time.
CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  subscription_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  sequence integer NOT NULL CHECK (sequence > 1),
  host text COLLATE "C" NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  -- The same bytes at each attempt.
  body text NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL,
  last_status_code integer,
  -- While an attempt is under way: when another process takes it for lost.
  next_attempt_at timestamptz,
  -- Who has it in hand; only they record what became of it.
  lease_id uuid,
  created_at timestamptz NOT NULL,
  UNIQUE (subscription_id, operation_id, sequence),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX deliveries_newest ON deliveries (subscription_id, created_at DESC, id DESC);
CREATE INDEX deliveries_due ON deliveries (host, next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_by_age ON deliveries (created_at);

-- One row: up to when the transitions of operations have been seen.
CREATE TABLE seen_transitions (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  until timestamptz NOT NULL
);
`)
