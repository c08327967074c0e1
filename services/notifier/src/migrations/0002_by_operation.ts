/** The same three columns are unique, the operation first: what became of one operation's notifications is found at no more cost. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const byOperation = sqlMigration(`
  CREATE UNIQUE INDEX deliveries_of_operation ON deliveries (operation_id, subscription_id, sequence);
  ALTER TABLE deliveries DROP CONSTRAINT deliveries_subscription_id_operation_id_sequence_key;
`)
