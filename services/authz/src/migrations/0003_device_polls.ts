/** How often devices ask for their codes, so that asking too often is noticed at whichever replica. Only adds. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const devicePolls = sqlMigration(`
CREATE TABLE device_polls (
  id_hash bytea PRIMARY KEY,
  polled_at timestamptz NOT NULL,
  early boolean NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX device_polls_by_expiry ON device_polls (expires_at);
`)
