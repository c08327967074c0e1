/**
 * Adds the deadline that the provider was told. It is null in rows of the release before, which told none: their absence at
 * the provider proves nothing.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const validUntil = sqlMigration(`
  ALTER TABLE submissions ADD COLUMN valid_until timestamptz;
`)
