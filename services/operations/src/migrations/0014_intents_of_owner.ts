/** The index by which an owner's open confirmations are found. It holds open intents only, so it stays small. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const intentsOfOwner = sqlMigration(`
  CREATE INDEX confirmation_intents_of_owner ON confirmation_intents (owner_id, expires_at) WHERE status = 'pending'
`)
