/** What an operation acts on at the provider, what a late answer told of its resource, and the rows that operators look at. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const targetsAndFacts = sqlMigration(`
  ALTER TABLE reconciliations ADD COLUMN target_reference text;
  ALTER TABLE late_answers ADD COLUMN resource jsonb;

  -- Ids are made in the order of time, so this is also newest or oldest first.
  CREATE INDEX reconciliations_review ON reconciliations (operation_id) WHERE review;
`)
