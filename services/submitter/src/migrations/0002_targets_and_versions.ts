/**
 * What an operation acts on at the provider and what the provider told of its resource, and for fences that can be
 * lifted the newest request about each. `fences` itself goes on to hold exactly what is fenced.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const targetsAndVersions = sqlMigration(`
  ALTER TABLE submissions ADD COLUMN target_reference text, ADD COLUMN resource jsonb;

  CREATE TABLE fence_versions (
    target text NOT NULL CHECK (target IN ('grant', 'client', 'binding', 'mandate')),
    target_id text NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    PRIMARY KEY (target, target_id)
  );
`)
