/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import type { Privileges } from '@financial-agents/postgres/privileges'
import { init } from './migrations/0001_init.ts'

export const migrations: Migrations = { '0001_init': init }

/** Evidence and late answers are written once; nothing that was reconciled is removed. */
export const privileges: Privileges = {
  evidence: ['INSERT'],
  late_answers: ['INSERT'],
  reconciliations: ['INSERT', 'UPDATE'],
  transitions: ['INSERT', 'UPDATE'],
}
