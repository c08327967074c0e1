/** Brings the schema up to date, with DATABASE_URL of the role that owns it. */

import { migrateCommand } from '@financial-agents/postgres/migrate'
import { migrations, privileges } from '../migrations.ts'

export const command = migrateCommand('reconciler', migrations, privileges)
