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
import { legalTransitions } from './migrations/0010_legal_transitions.ts'
import { inFlight } from './migrations/0011_in_flight.ts'
import { derivedMoves } from './migrations/0012_derived_moves.ts'
import { months } from './migrations/0013_months.ts'
import { intentsOfOwner } from './migrations/0014_intents_of_owner.ts'
import { inFlightBatches } from './migrations/0015_in_flight_batches.ts'
import { intentBindings } from './migrations/0016_intent_bindings.ts'
import { authorityEnds } from './migrations/0017_authority_ends.ts'

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
  '0010_legal_transitions': legalTransitions,
  '0011_in_flight': inFlight,
  '0012_derived_moves': derivedMoves,
  '0013_months': months,
  '0014_intents_of_owner': intentsOfOwner,
  '0015_in_flight_batches': inFlightBatches,
  '0016_intent_bindings': intentBindings,
  '0017_authority_ends': authorityEnds,
}

/**
 * History is only appended to. Operations and their transfers are never removed.
 */
export const privileges: Privileges = {
  history: ['INSERT'],
  moves: [],
  grants: ['INSERT'],
  unsuccessful: ['INSERT'],
  operations: ['INSERT', 'UPDATE'],
  transfers: ['INSERT', 'UPDATE'],
  ceiling_days: ['INSERT', 'UPDATE'],
  decisions: ['INSERT', 'UPDATE'],
  month_tables: [],
  archive_horizon: [],
  archived_months: [],
}
