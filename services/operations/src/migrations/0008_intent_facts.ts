/**
 * The content of an intent as facts beside the text: the client's facts, and the owner's, which name the other
 * applications. The column is null in intents of the previous release, which live ten minutes.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const intentFacts = sqlMigration('ALTER TABLE confirmation_intents ADD COLUMN facts jsonb')
