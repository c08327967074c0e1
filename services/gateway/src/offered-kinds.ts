/**
 * The kinds of operations that the providers of this installation offer, as catalog knows them from the adapters. They are read
 * with the first request and again after `keptMs`. While catalog is out of reach, the last known kinds are shown.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { newContext } from '@financial-agents/bus/headers'
import { call } from '@financial-agents/bus/rpc'
import type { OperationKind } from '@financial-agents/operation-machine/kinds'
import type { Log } from '@financial-agents/runtime/log'
import type { BusState } from './bus-state.ts'

/** Only a change of the configuration of the adapters changes the kinds, and it requires a restart of catalog. */
const keptMs = 20_000
const timeoutMs = 2_000

/** Returns the kinds; undefined if they have never been read. */
export type FindOfferedKinds = () => Promise<readonly OperationKind[] | undefined>

export function createOfferedKinds(options: { bus: Bus; busState: BusState; log: Log }): FindOfferedKinds {
  const { bus, busState, log } = options
  let kinds: readonly OperationKind[] | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const read = async () => {
    try {
      kinds = (await call(bus, 'rpc.catalog.offered-kinds', null, newContext(timeoutMs))).kinds
      readAt = performance.now()
    } catch (error) {
      log.warn({ err: error }, 'the kinds that the providers offer could not be read')
    } finally {
      reading = undefined
    }
  }
  return async () => {
    if (performance.now() - readAt >= keptMs && busState.isConnected()) await (reading ??= read())
    return kinds
  }
}
