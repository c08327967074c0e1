/**
 * The connection over which a confirmed request goes, so that no confirmation outlives the connection that it was about.
 * The column is null in intents of the previous release, which live ten minutes.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const intentBindings = sqlMigration('ALTER TABLE confirmation_intents ADD COLUMN binding_id text COLLATE "C"')
