/** The names that owners give to applications for themselves. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const ownerLabels = sqlMigration(`
CREATE TABLE owner_labels (
  owner_id uuid NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  label text NOT NULL CHECK (char_length(label) BETWEEN 1 AND 60),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (owner_id, client_id)
);
`)
