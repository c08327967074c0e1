/**
 * Puts the submitter together. Stopping: no new messages, then the calls in flight (each ends within the provider's
 * time-out) with their outcomes on the rows, then the sweeps, then the connections.
 */

import { connectBus } from '@financial-agents/bus/connect'
import { consume } from '@financial-agents/bus/consume'
import { streamNames } from '@financial-agents/bus/streams'
import { openServiceDatabase } from '@financial-agents/postgres/service-database'
import type { Provider } from '@financial-agents/provider/port'
import { createAdapter } from '@financial-agents/provider-reads/adapter'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Started } from '@financial-agents/runtime/service'
import { createSlots } from '@financial-agents/runtime/slots'
import { z } from 'zod'
import { type Attempts, createAttempts } from './attempts.ts'
import type { SubmitterConfig } from './config.ts'
import { observeBacklog } from './measure.ts'
import type { Parts } from './parts.ts'
import { serveCalls } from './serve.ts'
import { startSweeps } from './sweeps.ts'

/** Messages under way at once, and asked for at once: each may bring many operations, and each of those takes a slot. */
const maxMessages = 64
const messagesPerAsking = 4

/** @param overrides tests only: another schema name, another provider */
export async function startSubmitter(
  given: { config: SubmitterConfig; log: Log; clock: Clock },
  overrides: { schema?: string; provider?: Provider } = {},
): Promise<Started> {
  const { config, log } = given
  const database = openServiceDatabase({ config, name: 'submitter', schema: overrides.schema, log })
  const bus = await connectBus({ config, name: 'submitter', log })
  const provider = overrides.provider ?? openProvider(config)
  const parts: Parts = { ...given, bus, database, provider }

  const slots = createSlots(config.CALL_SLOTS)
  const attempts = createAttempts(parts, slots)
  serveCalls(parts)
  const sweeps = startSweeps(parts)
  observeBacklog(parts)
  const consuming = consume<unknown>(bus, {
    stream: streamNames.submit,
    durable: 'submitter',
    maxMessages: 1,
    concurrency: maxMessages,
    room: async () => {
      await slots.waitForFree()
      return messagesPerAsking
    },
    handle: ([message]) => takeAll(attempts, message, log),
    retryAfterMs: config.RETRY_AFTER_MS,
    // What waits for another delivery takes up room in the consumer; afterwards operations' sweep brings it again.
    maxDeliveries: 3,
    onError: (error) => log.warn({ err: error }, 'a submit message comes again'),
  })
  // Ready means: subscribed.
  await bus.check()
  return {
    checks: { bus: () => bus.check(), database: () => database.check() },
    stop: async () => {
      attempts.close()
      await consuming.stop()
      await attempts.finish()
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
      await bus.drain()
      await Promise.all([provider.close(), database.close()])
    },
  }
}

function openProvider(config: SubmitterConfig): Provider {
  return createAdapter({
    baseUrl: config.PROVIDER_URL,
    connections: config.CALL_SLOTS,
    connectTimeoutMs: config.PROVIDER_CONNECT_TIMEOUT_MS,
  })
}

const submitBatch = z.object({ operations: z.array(z.object({ operation_id: z.uuid() })) })

/** Resolves when every operation of the message is decided; throws where one has to come again. */
async function takeAll(attempts: Attempts, message: unknown, log: Log): Promise<void> {
  const batch = submitBatch.safeParse(message)
  // It would never become readable; operations' sweep sends what is really accepted.
  if (!batch.success) return log.error('a submit message is not one')
  const taken = await Promise.all(batch.data.operations.map(({ operation_id }) => attempts.take(operation_id)))
  const later = taken.filter((one) => one === 'later').length
  if (later > 0) throw new Error(`${later} operations could not be judged`)
}
