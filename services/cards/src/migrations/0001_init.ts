/** Cards from their draft on, the writes that make and change them, and who asked to see a number, never where. */

import { sqlMigration } from '@financial-agents/postgres/migrate'
import { writesTables } from '@financial-agents/writes/tables'

export const init = sqlMigration(`
${writesTables}
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
  -- The one unsettled operation, its draft included.
  pending_operation_id uuid,
  -- The provider's own, once it is known.
  upstream_reference text,
  brand text,
  last_four text CHECK (last_four ~ '^[0-9]{4}$'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CHECK ((prior_state IS NOT NULL) = (state IN ('freezing', 'unfreezing', 'closing'))),
  CHECK (prior_state IS NULL OR pending_operation_id IS NOT NULL)
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
