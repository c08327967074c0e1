/**
 * Puts the operation first in the same unique key of three columns. The deliveries of one operation are then found at
 * no extra cost.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const byOperation = sqlMigration(`
  CREATE UNIQUE INDEX deliveries_of_operation ON deliveries (operation_id, subscription_id, sequence);
  ALTER TABLE deliveries DROP CONSTRAINT deliveries_subscription_id_operation_id_sequence_key;
`)
