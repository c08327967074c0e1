/** What signing in needs. `authentication` is null where adoption of provider devices is unavailable. */

import type { Database } from '@financial-agents/postgres/database'
import type { Provider } from '@financial-agents/provider/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Sealer } from '@financial-agents/runtime/sealing'

export type DeviceAuthentication = {
  provider: Pick<Provider, 'startDeviceAuthentication' | 'pollDeviceAuthentication'>
  /** As bindings and customers name it. */
  providerName: string
  /** For one call of the provider. */
  timeoutMs: number
}

export type SignInParts = {
  db: Database
  clock: Clock
  log: Log
  sealer: Sealer
  authentication: DeviceAuthentication | null
}
