/**
 * What an intent says, as facts beside the text: those that its client is told, and those that its owner reads, which name
 * the other applications. Null in intents of the release before, which live ten minutes.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const intentFacts = sqlMigration('ALTER TABLE confirmation_intents ADD COLUMN facts jsonb')
