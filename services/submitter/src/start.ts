/**
 * Puts the submitter together. Stopping: no new messages, then the calls in flight (each ends within the provider's
 * time-out) with their outcomes on the rows, then the sweeps, then the connections.
 */

import { connectBus } from '@financial-agents/bus/connect'
import type { SubmitBatch } from '@financial-agents/bus/messages/events'
import { streamNames } from '@financial-agents/bus/streams'
import { openDatabase } from '@financial-agents/postgres/database'
import { createFakeAdapter } from '@financial-agents/provider/fake-adapter'
import type { Provider } from '@financial-agents/provider/port'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import type { Started } from '@financial-agents/runtime/service'
import { z } from 'zod'
import { type Attempts, createAttempts } from './attempts.ts'
import type { SubmitterConfig } from './config.ts'
import type { Parts } from './parts.ts'
import { pull } from './pull.ts'
import { serveCalls } from './serve.ts'
import { createSlots } from './slots.ts'
import { startSweeps } from './sweeps.ts'

/** @param overrides tests only: another schema name, another provider */
export async function startSubmitter(
  given: { config: SubmitterConfig; log: Log; clock: Clock },
  overrides: { schema?: string; provider?: Provider } = {},
): Promise<Started> {
  const { config, log } = given
  const database = openDatabase({
    connectionString: config.DATABASE_URL,
    applicationName: 'submitter',
    schema: overrides.schema ?? 'submitter',
    maxConnections: config.DATABASE_MAX_CONNECTIONS,
    onError: (error) => log.warn({ err: error }, 'an idle connection broke'),
  })
  const bus = await connectBus({ config, name: 'submitter', log })
  const provider = overrides.provider ?? openProvider(config)
  const parts: Parts = { ...given, bus, database, provider }

  const slots = createSlots(config.CALL_SLOTS)
  const attempts = createAttempts(parts, slots)
  serveCalls(parts)
  const sweeps = startSweeps(parts)
  const pulling = pull(bus, {
    stream: streamNames.submit,
    durable: 'submitter',
    loops: 4,
    waitForRoom: () => slots.waitForFree(),
    handle: (data) => takeAll(attempts, data, log),
    retryAfterMs: config.RETRY_AFTER_MS,
    maxDeliveries: 3,
    onError: (error) => log.warn({ err: error }, 'a submit message comes again'),
  })
  // Ready means: subscribed.
  await bus.check()
  return {
    checks: { bus: () => bus.check(), database: () => database.check() },
    stop: async () => {
      attempts.close()
      await pulling.stop()
      await attempts.finish()
      await Promise.all(sweeps.map((sweep) => sweep.stop()))
      await bus.drain()
      await Promise.all([provider.close(), database.close()])
    },
  }
}

function openProvider(config: SubmitterConfig): Provider {
  return createFakeAdapter({
    baseUrl: config.PROVIDER_URL,
    connections: config.CALL_SLOTS,
    connectTimeoutMs: config.PROVIDER_CONNECT_TIMEOUT_MS,
  })
}

const submitBatch = z.object({ operations: z.array(z.object({ operation_id: z.uuid() })) })

/** Resolves when every operation of the message is decided; throws where one has to come again. */
async function takeAll(attempts: Attempts, data: Uint8Array, log: Log): Promise<void> {
  const message = readMessage(data)
  // It would never become readable; operations' sweep sends what is really accepted.
  if (message === null) return log.error({ bytes: data.length }, 'a submit message is not one')
  const taken = await Promise.all(message.operations.map(({ operation_id }) => attempts.take(operation_id)))
  const later = taken.filter((one) => one === 'later').length
  if (later > 0) throw new Error(`${later} operations could not be judged`)
}

function readMessage(data: Uint8Array): Pick<SubmitBatch, 'operations'> | null {
  try {
    return submitBatch.parse(JSON.parse(new TextDecoder().decode(data))) as SubmitBatch
  } catch {
    return null
  }
}
