/** The migrations of the schema `authz`, by name. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { init } from './migrations/0001_init.ts'

export const migrations: Migrations = { '0001_init': init }

/** Audit rows are inserted and never changed. Clients, owners and grants end, but their rows stay. */
export const privileges: Privileges = {
  audit: ['INSERT'],
  clients: ['INSERT', 'UPDATE'],
  grants: ['INSERT', 'UPDATE'],
  owners: ['INSERT', 'UPDATE'],
}
