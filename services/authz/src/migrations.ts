/** The migrations of the schema `authz`, by name. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import { init } from './migrations/0001_init.ts'

export const migrations: Migrations = { '0001_init': init }
