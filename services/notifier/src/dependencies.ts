/** The dependencies of the handlers, the consumer and the background jobs. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Cursors } from '@financial-agents/contract/cursor'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'
import type { SigningKeys } from './signing-keys.ts'
import type { Targets } from './targets.ts'

export type Dependencies = {
  bus: Bus
  db: Database
  log: Log
  clock: Clock
  cursors: Cursors
  /** Undefined if webhooks are off. */
  signingKeys: SigningKeys | undefined
  /** The context is the subscription's id. */
  secretSealer: Sealer
  targets: Targets
}
