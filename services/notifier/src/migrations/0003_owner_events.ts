/**
 * Events for the operator's platform, and the payments that may become events. The key of an event says what it tells of, so
 * that it is made once. An event loses its body after thirty days; its key stays for as long as a mandate can.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const ownerEvents = sqlMigration(`
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
