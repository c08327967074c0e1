/**
 * Approvals: the progress of each hand-off to the provider's approval page, and the time of its next check. The
 * operation itself holds the data that the owner is shown. One row decides between all callers that learn the owner's
 * answer.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const approvals = sqlMigration(`
  CREATE TABLE approvals (
    operation_id uuid PRIMARY KEY,
    state text COLLATE "C" NOT NULL
      CHECK (state IN ('unprepared', 'waiting', 'granted', 'declined', 'expired', 'failed')),
    -- The provider's own reference of the approval; null where none was needed, too.
    approval text COLLATE "C",
    expires_at timestamptz,
    poll_after_ms integer CHECK (poll_after_ms > 0),
    -- Unavailable answers in a row.
    failures integer NOT NULL,
    -- Nobody asks the provider before it.
    ask_after timestamptz NOT NULL,
    -- When the sweep looks after it.
    next_check_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT open_ones_are_looked_after CHECK ((state IN ('unprepared', 'waiting')) = (next_check_at IS NOT NULL)),
    CONSTRAINT waiting_for_something CHECK (
      state <> 'waiting' OR (approval IS NOT NULL AND expires_at IS NOT NULL AND poll_after_ms IS NOT NULL))
  ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
  CREATE INDEX approvals_due ON approvals (next_check_at) WHERE next_check_at IS NOT NULL;
`)
