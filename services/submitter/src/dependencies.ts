/** The connections and settings that every part of the submitter takes. `start.ts` creates them. */

import type { Bus } from '@financial-agents/bus/connect'
import type { Database } from '@financial-agents/postgres/database'
import type { RoutedProvider } from '@financial-agents/provider-client/routed'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Witness } from '@financial-agents/witness/witness'
import type { SubmitterConfig } from './config.ts'
import type { Confirmations } from './confirmations.ts'

export type Dependencies = {
  config: SubmitterConfig
  log: Log
  clock: Clock
  bus: Bus
  db: Database
  provider: Pick<RoutedProvider, 'of'>
  confirmations: Confirmations
  witness: Witness
}
