/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { init } from './migrations/0001_init.ts'
import { targetsAndFacts } from './migrations/0002_targets_and_facts.ts'
import { underReview } from './migrations/0003_under_review.ts'
import { validUntil } from './migrations/0004_valid_until.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_targets_and_facts': targetsAndFacts,
  '0003_under_review': underReview,
  '0004_valid_until': validUntil,
}

/** Evidence and late answers are written once; nothing that was reconciled is removed. */
export const privileges: Privileges = {
  evidence: ['INSERT'],
  late_answers: ['INSERT'],
  reconciliations: ['INSERT', 'UPDATE'],
  transitions: ['INSERT', 'UPDATE'],
}
