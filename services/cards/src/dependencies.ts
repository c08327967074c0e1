/** The dependencies of the handlers, the consumer and the background jobs. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Cursors } from '@financial-agents/contract/cursor'
import type { Capability } from '@financial-agents/contract/route'
import type { Database } from '@financial-agents/postgres/database'
import type { ActivityPages } from '@financial-agents/provider-client/activity-pages'
import type { ActivityView } from '@financial-agents/provider-client/activity-view'
import type { PortRead } from '@financial-agents/provider-client/port-read'
import type { ProviderReader } from '@financial-agents/provider-client/reader'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { Writes } from '@financial-agents/writes/writes'

export type Dependencies = {
  bus: Bus
  db: Database
  log: Log
  clock: Clock
  writes: Writes
  provider: Pick<Provider, 'startCardReveal'>
  reader: ProviderReader
  cursors: Cursors
  activityRead: PortRead<'activity'>
  activityPages: ActivityPages
  activityView: ActivityView
  enabledCapabilities: readonly Capability[]
  /** The context is the operation id. Nothing in this service opens payloads. */
  payloadSealer: Pick<Sealer, 'seal'>
}
