/** The dependencies of the handlers, the consumer and the background jobs. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Cursors } from '@financial-agents/contract/cursor'
import type { Capability } from '@financial-agents/contract/route'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Wakeable } from '@financial-agents/runtime/repeat'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { Writes } from '@financial-agents/writes/writes'
import type { ProviderReads } from './provider-reads.ts'

export type ReadingDependencies = Pick<Dependencies, 'bus' | 'db' | 'log' | 'clock' | 'writes'>

export type Dependencies = {
  bus: Bus
  db: Database
  log: Log
  clock: Clock
  writes: Writes
  providerReads: ProviderReads
  cursors: Cursors
  /** Wakes the background job that tells the submitter under which mandates nothing may be submitted. */
  fences: Pick<Wakeable, 'wake'>
  enabledCapabilities: readonly Capability[]
  /** The context is the operation id. Nothing in this service opens payloads. */
  payloadSealer: Pick<Sealer, 'seal'>
}
