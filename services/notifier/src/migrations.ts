/** The migrations of the schema, in the order of their names. */

import type { Migrations } from '@financial-agents/postgres/migrate'
import { init } from './migrations/0001_init.ts'
import { byOperation } from './migrations/0002_by_operation.ts'
import { ownerEvents } from './migrations/0003_owner_events.ts'
import { waitingCreations } from './migrations/0004_waiting_creations.ts'
import { previousSecrets } from './migrations/0005_previous_secrets.ts'

export const migrations: Migrations = {
  '0001_init': init,
  '0002_by_operation': byOperation,
  '0003_owner_events': ownerEvents,
  '0004_waiting_creations': waitingCreations,
  '0005_previous_secrets': previousSecrets,
}
