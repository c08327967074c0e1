/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { init } from './migrations/0001_init.ts'
import { accounts } from './migrations/0002_accounts.ts'
import { reservedByOperations } from './migrations/0003_reserved_by_operations.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_accounts': accounts,
  '0003_reserved_by_operations': reservedByOperations,
}

/** Identifiers never change. */
export const privileges: Privileges = {
  accounts: ['INSERT'],
}
