/** Our identifiers of the accounts that providers list. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const accounts = sqlMigration(`
CREATE TABLE accounts (
  owner_id text COLLATE "C" NOT NULL,
  -- The provider's own.
  reference text COLLATE "C" NOT NULL,
  id uuid NOT NULL UNIQUE,
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, reference)
);
`)
