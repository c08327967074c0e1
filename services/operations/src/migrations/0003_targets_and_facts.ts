/**
 * The target of an operation at the provider, the provider's facts about the resource, and the operation that used an
 * intent. The last column always refers to an existing operation: one transaction writes both.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const targetsAndFacts = sqlMigration(`
  ALTER TABLE operations ADD COLUMN target_reference text, ADD COLUMN resource_facts jsonb;
  ALTER TABLE confirmation_intents ADD COLUMN consumed_operation_id uuid,
    ADD CONSTRAINT consumed_by_an_operation CHECK ((status = 'consumed') = (consumed_operation_id IS NOT NULL));
`)
