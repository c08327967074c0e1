/** Tracks if the bus connection is up, by its own events. */

import type { Bus } from '@financial-agents/bus/connect'

export type BusState = { isConnected(): boolean }

export function watchBus(bus: Bus): BusState {
  let connected = true
  bus.watch((status) => {
    if (status === 'disconnect') connected = false
    if (status === 'reconnect') connected = true
  })
  return { isConnected: () => connected && !bus.connection.isClosed() }
}
