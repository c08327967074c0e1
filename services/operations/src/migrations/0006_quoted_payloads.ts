/**
 * Stores an intent's quotes of the payload (memo, purpose) apart from its other words. They are sealed, and kept until
 * the intent is used, declined or over. Intents with erased quotes leave the index, so the sweep finds the ended ones
 * among the rest.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const quotedPayloads = sqlMigration(`
  ALTER TABLE confirmation_intents ADD COLUMN quoted_sealed bytea;
  CREATE INDEX confirmation_intents_quoting ON confirmation_intents (expires_at) WHERE quoted_sealed IS NOT NULL;
`)
