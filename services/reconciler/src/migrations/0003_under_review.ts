/** Narrows the index of operations under review to unsettled ones, because operators list no others. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const underReview = sqlMigration(`
  CREATE INDEX reconciliations_under_review ON reconciliations (operation_id) WHERE review AND settled_at IS NULL;
  DROP INDEX reconciliations_review;
`)
