/** Puts the reconciler together. Stopping: no new messages and no new reads, then those under way, then the connections. */

import { connectBus } from '@financial-agents/bus/connect'
import { consume } from '@financial-agents/bus/consume'
import type { EventBatch } from '@financial-agents/bus/messages/events'
import { streamNames } from '@financial-agents/bus/streams'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import type { Provider } from '@financial-agents/provider/port'
import { createAdapter } from '@financial-agents/provider-reads/adapter'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Started } from '@financial-agents/runtime/service'
import type { ReconcilerConfig } from './config.ts'
import { takeOver } from './handovers.ts'
import { observeBacklog } from './measure.ts'
import { startOutbox } from './outbox.ts'
import type { Parts } from './parts.ts'
import { startReads } from './reads.ts'
import { serveCalls } from './serve.ts'

/** @param overrides tests only: another schema name */
export async function startReconciler(
  given: { config: ReconcilerConfig; log: Log; clock: Clock },
  overrides: { schema?: string } = {},
): Promise<Started> {
  const { config, log } = given
  const database = openServiceDatabase({ config, name: 'reconciler', schema: overrides.schema, log })
  const bus = await connectBus({ config, name: 'reconciler', log })
  const provider = openProvider(config)
  const parts: Parts = { ...given, bus, database, provider }

  serveCalls(parts)
  const outbox = startOutbox(parts)
  const reads = startReads(parts)
  observeBacklog(parts)
  const consuming = consume<EventBatch>(bus, {
    stream: streamNames.event,
    durable: 'reconciler',
    maxMessages: 16,
    concurrency: 2,
    handle: (messages) => takeOver(parts, messages),
    retryAfterMs: 1_000,
    onError: (error) => log.warn({ err: error }, 'events come again'),
  })
  // Ready means: subscribed.
  await bus.check()
  return {
    checks: { bus: () => bus.check(), database: () => database.check() },
    stop: async () => {
      await Promise.all([consuming.stop(), reads.stop()])
      await outbox.stop()
      await bus.drain()
      await Promise.all([provider.close(), database.close()])
    },
  }
}

function openProvider(config: ReconcilerConfig): Provider {
  return createAdapter({
    baseUrl: config.PROVIDER_URL,
    connections: config.READ_SLOTS,
    connectTimeoutMs: config.PROVIDER_CONNECT_TIMEOUT_MS,
  })
}
