/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import { init } from './migrations/0001_init.ts'
import { targetsAndFacts } from './migrations/0002_targets_and_facts.ts'
import { underReview } from './migrations/0003_under_review.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_targets_and_facts': targetsAndFacts,
  '0003_under_review': underReview,
}
