/**
 * Adds the provider's reference of an operation's target, the facts of a resource in a late answer, and the index of the operations
 * under review.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const targetsAndFacts = sqlMigration(`
  ALTER TABLE reconciliations ADD COLUMN target_reference text;
  ALTER TABLE late_answers ADD COLUMN resource jsonb;

  -- Ids are made in the order of time, so this is also newest or oldest first.
  CREATE INDEX reconciliations_review ON reconciliations (operation_id) WHERE review;
`)
