/**
 * The secret that was replaced. It signs beside the new one until its time is over, so that receivers can change over
 * without a refused delivery.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const previousSecrets = sqlMigration(`
  ALTER TABLE subscriptions
    ADD COLUMN previous_secret_sealed bytea,
    ADD COLUMN previous_secret_until timestamptz,
    ADD CONSTRAINT previous_secret CHECK ((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL));
`)
