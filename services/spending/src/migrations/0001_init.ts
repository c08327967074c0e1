/** Withdrawals from their draft on, what each grant has spent of a day, and the writes that make withdrawals. */

import { sqlMigration } from '@financial-agents/postgres/migrate'
import { writesTables } from '@financial-agents/writes/tables'

export const init = sqlMigration(`
${writesTables}
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
