/** The migrations of the schema, in the order of their names. Expand and contract only. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { witnessPrivileges } from '@financial-agents/witness/privileges'
import { init } from './migrations/0001_init.ts'

export const migrations: Migrations = { '0001_init': init }

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
  ...witnessPrivileges,
}
