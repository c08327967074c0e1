/**
 * The sums of all operations, cached for a few seconds: many pages show them, and each query scans everything in
 * flight.
 */

import { ask } from '@financial-agents/bus/ask'
import type { Bus } from '@financial-agents/bus/connect'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { OperationsOverview } from '@financial-agents/bus/messages/operator'
import type { Clock } from '@financial-agents/runtime/clock'
import { createExpiringCache } from '@financial-agents/runtime/expiring-cache'

const keptMs = 3_000

/** @throws Unavailable */
export type Overview = (context: MessageContext) => Promise<OperationsOverview>

export function createOverview({ bus, clock }: { bus: Bus; clock: Clock }): Overview {
  const cache = createExpiringCache<OperationsOverview>({ clock, ttlMs: keptMs, maxEntries: 1 })
  return (context) => cache.get('overview', () => ask(bus, 'int.operations.overview', null, context))
}
