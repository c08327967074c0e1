/**
 * Checks the legality of a transition within its row of history. The foreign key to a table of legal transitions cost a
 * row lock for each row. The constraint holds the machine's transitions as of this migration: a new transition needs a
 * new migration. It is not validated, because the foreign key has checked every row that is there.
 */

import { sqlMigration } from '@financial-agents/postgres/migrate'

export const legalTransitions = sqlMigration(`
  ALTER TABLE history
    DROP CONSTRAINT history_from_state_event_to_state_moved_by_fkey,
    ADD CONSTRAINT legal_transition CHECK (from_state || ' ' || event || ' ' || to_state || ' ' || moved_by IN (
      'new accept accepted operations',
      'new accept_for_approval requires_action operations',
      'requires_action approval_granted accepted operations',
      'requires_action approval_declined cancelled operations',
      'requires_action approval_expired cancelled operations',
      'requires_action approval_failed failed operations',
      'accepted claim submitting submitter',
      'accepted fail_before_submission failed submitter',
      'accepted cancel_before_submission cancelled submitter',
      'submitting provider_accepted submitted submitter',
      'submitting provider_completed succeeded submitter',
      'submitting provider_refused failed submitter',
      'submitting outcome_unknown indeterminate submitter',
      'submitting lease_expired indeterminate submitter',
      'submitted settled succeeded reconciler',
      'submitted settlement_failed failed reconciler',
      'submitted result_unclear indeterminate reconciler',
      'indeterminate proved_submitted submitted reconciler',
      'indeterminate proved_succeeded succeeded reconciler',
      'indeterminate proved_failed failed reconciler'
    )) NOT VALID;
  DROP TABLE legal_transitions;
`)
