/** The migrations of the schema, in the order of their names. Expand and contract only. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { init } from './migrations/0001_init.ts'
import { confirmationIntents } from './migrations/0002_confirmation_intents.ts'
import { targetsAndFacts } from './migrations/0003_targets_and_facts.ts'
import { approvals } from './migrations/0004_approvals.ts'
import { unsettled } from './migrations/0005_unsettled.ts'
import { quotedPayloads } from './migrations/0006_quoted_payloads.ts'
import { outcomes } from './migrations/0007_outcomes.ts'
import { intentFacts } from './migrations/0008_intent_facts.ts'
import { transfers } from './migrations/0009_transfers.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_confirmation_intents': confirmationIntents,
  '0003_targets_and_facts': targetsAndFacts,
  '0004_approvals': approvals,
  '0005_unsettled': unsettled,
  '0006_quoted_payloads': quotedPayloads,
  '0007_outcomes': outcomes,
  '0008_intent_facts': intentFacts,
  '0009_transfers': transfers,
}

/**
 * History is only appended to. The service cannot change the legal transitions. Operations and their transfers are
 * never removed.
 */
export const privileges: Privileges = {
  history: ['INSERT'],
  legal_transitions: [],
  operations: ['INSERT', 'UPDATE'],
  transfers: ['INSERT', 'UPDATE'],
  ceiling_days: ['INSERT', 'UPDATE'],
  decisions: ['INSERT', 'UPDATE'],
}
