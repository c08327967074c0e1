/** Creates the streams and their consumers as planned. It connects as the one NATS user that is permitted to do so. */

import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '@financial-agents/bus/connect'
import { provisionStreams } from '@financial-agents/bus/provision-streams'
import { defineCommand, messageOf } from '@financial-agents/runtime/command'
import { busConfig, readConfig } from '@financial-agents/runtime/config'
import { z } from 'zod'
import { connectProvisioner } from './connect-provisioner.ts'

const mib = 1 << 20
const bytes = z.coerce.number().int().min(mib)

const config = busConfig.extend({
  /** Copies of each stream, each on its own server. */
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(3),
  /** The size limit of each stream. A full stream refuses messages, and the background jobs publish them again later. */
  STREAM_MAX_BYTES_SUBMIT: bytes.default(128 * mib),
  STREAM_MAX_BYTES_EVENT: bytes.default(2_048 * mib),
})

/** Time to wait for NATS servers that are starting, because the job may start before them. */
const patienceMs = 60_000
const pauseMs = 1_000

export const command = defineCommand({
  summary: 'make the streams and their consumers, or bring them up to date',
  config,
  run: async ({ environment }) => {
    const given = readConfig(config, environment)
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
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await connectProvisioner(given)
    } catch (error) {
      // A wrong seed or file stays wrong, so there is no retry.
      if (performance.now() > until || (error as Error).name !== 'NatsError')
        throw new Error(`cannot connect to NATS: ${messageOf(error)}`, { cause: error })
      await delay(pauseMs)
    }
  }
}
