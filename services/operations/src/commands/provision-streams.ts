/** Makes the streams and their consumers what the plan says, as the one user of NATS that may. */

import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, connectBus } from '@financial-agents/bus/connect'
import { provisionStreams } from '@financial-agents/bus/provision-streams'
import { defineCommand, messageOf } from '@financial-agents/runtime/command'
import { busConfig, readConfig } from '@financial-agents/runtime/config'
import { createLog } from '@financial-agents/runtime/log'
import { z } from 'zod'

const mib = 1 << 20
const bytes = z.coerce.number().int().min(mib)

const config = busConfig.extend({
  /** Copies of each stream, on as many servers. */
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(3),
  /** What each stream may come to. Full, it refuses messages, and the sweeps bring them again. */
  STREAM_MAX_BYTES_SUBMIT: bytes.default(128 * mib),
  STREAM_MAX_BYTES_EVENT: bytes.default(2_048 * mib),
})

/** For servers that are only starting: the job may come first. */
const patienceMs = 60_000
const pauseMs = 1_000

export const command = defineCommand({
  summary: 'make the streams and their consumers, or bring them up to date',
  config,
  run: async () => {
    const given = readConfig(config, process.env)
    const { STREAM_REPLICAS: replicas, STREAM_MAX_BYTES_SUBMIT: submit, STREAM_MAX_BYTES_EVENT: event } = given
    const bus = await connectPatiently(given)
    try {
      return await provisionStreams(bus, { replicas, maxBytes: { submit, event } })
    } finally {
      await bus.drain()
    }
  },
})

async function connectPatiently(given: z.output<typeof busConfig>): Promise<Bus> {
  const log = createLog({ service: 'provisioner', level: 'silent' })
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await connectBus({ config: given, name: 'provisioner', log, waits: false })
    } catch (error) {
      // What is wrong with a seed or a file does not pass.
      if (performance.now() > until || (error as Error).name !== 'NatsError')
        throw new Error(`cannot connect to NATS: ${messageOf(error)}`, { cause: error })
      await delay(pauseMs)
    }
  }
}
