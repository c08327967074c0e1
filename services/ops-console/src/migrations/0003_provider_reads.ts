/** Adds the reads of the provider in stretches of ten minutes, and the circuits of each process at its last report. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const providerReads = sqlMigration(`
CREATE TABLE provider_reads (
  at timestamptz NOT NULL,
  provider text NOT NULL,
  read text NOT NULL,
  calls bigint NOT NULL,
  failed bigint NOT NULL,
  turned_away bigint NOT NULL,
  total_ms bigint NOT NULL,
  most_ms bigint NOT NULL,
  PRIMARY KEY (at, provider, read)
);

CREATE TABLE provider_circuits (
  reporter uuid NOT NULL,
  provider text NOT NULL,
  read text NOT NULL,
  state text NOT NULL,
  since timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (reporter, provider, read)
);
CREATE INDEX provider_circuits_by_age ON provider_circuits (seen_at);
`)
