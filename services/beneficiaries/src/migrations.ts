/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import { init } from './migrations/0001_init.ts'
import { mandates } from './migrations/0002_mandates.ts'
import { mandateAuthorities } from './migrations/0003_mandate_authorities.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_mandates': mandates,
  '0003_mandate_authorities': mandateAuthorities,
}
