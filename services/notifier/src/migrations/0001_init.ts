/**
 * Subscriptions, and the deliveries with their results. The key of a delivery is operation, subscription and sequence,
 * so a transition that arrives twice causes one notification.
 *
 * Events for the operator's platform, and the payments that may become events. The key of an event says what it tells
 * of, so that it is made once. An event loses its body after thirty days; its key stays for as long as a mandate can.
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
  -- The secret that was replaced. It signs beside the new one until its time is over, so that receivers can change over.
  previous_secret_sealed bytea,
  previous_secret_until timestamptz,
  created_at timestamptz NOT NULL,
  -- The first failure since anything succeeded.
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text CHECK (disabled_reason IN ('endpoint_gone', 'endpoint_failing')),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  CONSTRAINT previous_secret CHECK ((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX subscriptions_of_client ON subscriptions (owner_id, client_id, created_at DESC, id DESC);

-- No foreign key: a subscription goes at once, and its deliveries when they are due or past their time.
CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  subscription_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  sequence integer NOT NULL CHECK (sequence > 0),
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
  -- When its client asked for it again; its age counts from then.
  resent_at timestamptz,
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE UNIQUE INDEX deliveries_of_operation ON deliveries (operation_id, subscription_id, sequence);
CREATE INDEX deliveries_newest ON deliveries (subscription_id, created_at DESC, id DESC);
CREATE INDEX deliveries_due ON deliveries (host, next_attempt_at) WHERE status = 'pending';
CREATE INDEX deliveries_by_age ON deliveries (created_at);

-- One row: up to when the transitions of operations have been seen.
CREATE TABLE seen_transitions (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  until timestamptz NOT NULL
);

CREATE TABLE owner_candidates (
  operation_id uuid NOT NULL,
  about text COLLATE "C" NOT NULL CHECK (about IN ('payment', 'uncertain')),
  -- While a process has it in hand: when another one takes it.
  next_check_at timestamptz NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (operation_id, about)
);
CREATE INDEX owner_candidates_due ON owner_candidates (next_check_at);

CREATE TABLE owner_events (
  id uuid PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,
  type text COLLATE "C" NOT NULL,
  -- The same bytes at each attempt.
  body text,
  status text COLLATE "C" NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL,
  last_status_code integer,
  -- While an attempt is under way: when another process takes it for lost.
  next_attempt_at timestamptz,
  -- Only the process with the lease records the result.
  lease_id uuid,
  created_at timestamptz NOT NULL,
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK (status <> 'pending' OR body IS NOT NULL)
);
CREATE INDEX owner_events_due ON owner_events (next_attempt_at) WHERE status = 'pending';
CREATE INDEX owner_events_by_age ON owner_events (created_at);
CREATE INDEX owner_events_with_body ON owner_events (created_at) WHERE body IS NOT NULL AND status <> 'pending';

-- One row: up to when the grants have been seen.
CREATE TABLE seen_grants (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  until timestamptz NOT NULL
);
`)
