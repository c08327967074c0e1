/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import { init } from './migrations/0001_init.ts'
import { severalChanges } from './migrations/0002_several_changes.ts'

export const migrations: Migrations = { '0001_init': init, '0002_several_changes': severalChanges }
