/**
 * Creates the streams and their consumers as planned, and then the witnesses that are missing. It connects to NATS as the one user that
 * may do so, and to PostgreSQL as the services whose databases are witnessed.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { Bus } from '@financial-agents/bus/connect'
import { provisionStreams } from '@financial-agents/bus/provision-streams'
import { defineCommand, messageOf } from '@financial-agents/runtime/command'
import { busConfig, readConfig } from '@financial-agents/runtime/config'
import { makeWitnesses } from '@financial-agents/witness/make'
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
  /** The addresses of the databases whose witnesses are made, as their own services have them. They have to lead to the newest primary. */
  OPERATIONS_DATABASE_URL: z.string(),
  SUBMITTER_DATABASE_URL: z.string(),
})

/** Time to wait for NATS servers that are starting, because the job may start before them. */
const patienceMs = 60_000
const pauseMs = 1_000

export const command = defineCommand({
  summary: 'make the streams, their consumers and the witnesses, or bring them up to date',
  config,
  run: async ({ environment }) => {
    const given = readConfig(config, environment)
    const { STREAM_REPLICAS: replicas, STREAM_MAX_BYTES_SUBMIT: submit, STREAM_MAX_BYTES_EVENT: event } = given
    const bus = await connectPatiently(given)
    try {
      const streams = await provisionStreams(bus, { replicas, maxBytes: { submit, event } })
      const { OPERATIONS_DATABASE_URL: operations, SUBMITTER_DATABASE_URL: submitter } = given
      return [...streams, ...(await makeWitnesses(bus, { operations, submitter }))]
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
