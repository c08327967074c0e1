/**
 * Adds the provider's reference of an operation's target, the provider's facts of its resource, and the newest version of each fence
 * that can be lifted. `fences` still holds exactly the fenced targets.
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
