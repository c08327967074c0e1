/** Command: brings the schema up to date with DATABASE_URL of the service's own role. */

import { runMigrations } from '@financial-agents/postgres/migrate'
import { migrations } from './migrations.ts'

await runMigrations('ops-console', migrations)
