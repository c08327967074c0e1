/** The dependencies of the handlers and the pages. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Cursors } from '@financial-agents/contract/cursor'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { ClientNames } from './operations/client-names.ts'
import type { Overview } from './operations/overview.ts'
import type { ReadProviderHealth } from './operations/provider-health.ts'
import type { ReadWrites } from './operations/writes.ts'
import type { RecordAudit } from './store/audit.ts'

export type Opened = { bus: Bus; db: Database; log: Log; clock: Clock }

export type Dependencies = Opened & {
  cursors: Cursors
  clientNames: ClientNames
  overview: Overview
  providerHealth: ReadProviderHealth
  readWrites: ReadWrites
  audit: RecordAudit
}
