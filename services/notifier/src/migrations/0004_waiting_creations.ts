/** Lets the creation of an operation in `requires_action` be delivered. Its sequence is 1. */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const waitingCreations = sqlMigration(`
  ALTER TABLE deliveries DROP CONSTRAINT deliveries_sequence_check,
    ADD CONSTRAINT deliveries_sequence_check CHECK (sequence > 0) NOT VALID;
`)
