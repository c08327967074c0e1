/** Adds the deadline that the provider was told. Null if the hand-over named none: absence at the provider then proves nothing. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const validUntil = sqlMigration(`
  ALTER TABLE reconciliations ADD COLUMN valid_until timestamptz;
`)
