/** The dependencies of signing in. `authentication` is null if owners cannot sign in at the provider. */

import type { Database } from '@financial-agents/postgres/database'
import type { Provider } from '@financial-agents/provider-port/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'

export type DeviceAuthentication = {
  provider: Pick<Provider, 'startDeviceAuthentication' | 'pollDeviceAuthentication'>
  /** The name that bindings and customers use for the provider. */
  providerName: string
  /** The time-out of one call to the provider. */
  timeoutMs: number
}

export type SignInDependencies = {
  db: Database
  clock: Clock
  log: Log
  sealer: Sealer
  authentication: DeviceAuthentication | null
}
