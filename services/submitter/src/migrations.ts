/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { init } from './migrations/0001_init.ts'
import { targetsAndVersions } from './migrations/0002_targets_and_versions.ts'
import { fencesForGood } from './migrations/0003_fences_for_good.ts'
import { months } from './migrations/0004_months.ts'
import { validUntil } from './migrations/0006_valid_until.ts'
import { outbox } from './migrations/0007_outbox.ts'
import { fillfactor } from './migrations/0008_fillfactor.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_targets_and_versions': targetsAndVersions,
  '0003_fences_for_good': fencesForGood,
  '0004_months': months,
  '0006_valid_until': validUntil,
  '0007_outbox': outbox,
  '0008_fillfactor': fillfactor,
}

/** Submissions and the newest version of each fence are permanent. */
export const privileges: Privileges = {
  submissions: ['INSERT', 'UPDATE'],
  fence_versions: ['INSERT', 'UPDATE'],
  month_tables: [],
  archive_horizon: [],
  archived_months: [],
}
