/**
 * What an intent's words quote of the payload (memo, purpose) stands apart from them, sealed, until the intent is used,
 * declined or over. Erased ones are in no index: what is over is found among the others.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const quotedPayloads = sqlMigration(`
  ALTER TABLE confirmation_intents ADD COLUMN quoted_sealed bytea;
  CREATE INDEX confirmation_intents_quoting ON confirmation_intents (expires_at) WHERE quoted_sealed IS NOT NULL;
`)
