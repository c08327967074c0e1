/**
 * What an operation names at the provider, what the provider told of the resource, and which operation an intent was
 * used for. The last is never without its operation: both are written in one transaction.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const targetsAndFacts = sqlMigration(`
  ALTER TABLE operations ADD COLUMN target_reference text, ADD COLUMN resource_facts jsonb;
  ALTER TABLE confirmation_intents ADD COLUMN consumed_operation_id uuid,
    ADD CONSTRAINT consumed_by_an_operation CHECK ((status = 'consumed') = (consumed_operation_id IS NOT NULL));
`)
