/** The logos of applications, fetched once for each registration. A row without bytes is a logo that could not be taken. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const clientLogos = sqlMigration(`
CREATE TABLE client_logos (
  client_id text COLLATE "C" PRIMARY KEY,
  logo_uri text NOT NULL,
  registered_at timestamptz NOT NULL,
  tried_at timestamptz NOT NULL,
  media_type text,
  digest text COLLATE "C" CHECK (digest ~ '^[0-9a-f]{64}$'),
  bytes bytea CHECK (octet_length(bytes) BETWEEN 1 AND 65536),
  CHECK (num_nonnulls(media_type, digest, bytes) IN (0, 3))
);
CREATE INDEX client_logos_by_digest ON client_logos (digest) WHERE digest IS NOT NULL;
`)
