/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { witnessPrivileges } from '@financial-agents/witness/privileges'
import { init } from './migrations/0001_init.ts'

export const migrations: Migrations = { '0001_init': init }

/** Submissions and the newest version of each fence are permanent. */
export const privileges: Privileges = {
  submissions: ['INSERT', 'UPDATE'],
  fence_versions: ['INSERT', 'UPDATE'],
  month_tables: [],
  archive_horizon: [],
  archived_months: [],
  ...witnessPrivileges,
}
