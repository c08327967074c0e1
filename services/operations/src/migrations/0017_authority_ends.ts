/** The time at which the grant or the mandate of an operation ends. Nothing is sent from then on. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const authorityEnds = sqlMigration('ALTER TABLE operations ADD COLUMN authority_ends_at timestamptz')
