/** The rows that operators look at are those that no read has settled yet: what was settled meanwhile is not asked about. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const underReview = sqlMigration(`
  CREATE INDEX reconciliations_under_review ON reconciliations (operation_id) WHERE review AND settled_at IS NULL;
  DROP INDEX reconciliations_review;
`)
