/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import { init } from './migrations/0001_init.ts'

export const migrations: Migrations = { '0001_init': init }
