/** All that the provider remembers, in memory: gone when the process ends. */

import { setTimeout as sleep } from 'node:timers/promises'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createDeviceAuthentications, type DeviceAuthentications } from './device-authentications.ts'
import { createFaults, type Faults } from './faults.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createRecords, type Records } from './records.ts'

export type World = {
  readonly clock: MovableClock
  readonly deviceAuthentications: DeviceAuthentications
  readonly faults: Faults
  readonly ledger: Ledger
  readonly records: Records
  /** What every call of the provider takes at least; 0 waits not at all. */
  waitLatency(): Promise<void> | undefined
}

export function createWorld(latencyMs: number): World {
  const clock = createClock()
  return {
    clock,
    deviceAuthentications: createDeviceAuthentications(clock),
    faults: createFaults(),
    ledger: createLedger(),
    records: createRecords(clock),
    waitLatency: () => (latencyMs === 0 ? undefined : sleep(latencyMs)),
  }
}
