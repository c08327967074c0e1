/** Makes the streams and their consumers what the plan says, as the one user of NATS that may. */

import { connectBus } from '@financial-agents/bus/connect'
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

/** Of each server, about a third of a second apart: beside it, a name that does not resolve yet is given a minute. */
const attempts = 180

export const command = defineCommand({
  summary: 'make the streams and their consumers, or bring them up to date',
  config,
  run: async () => {
    const given = readConfig(config, process.env)
    const { STREAM_REPLICAS: replicas, STREAM_MAX_BYTES_SUBMIT: submit, STREAM_MAX_BYTES_EVENT: event } = given
    const log = createLog({ service: 'provisioner', level: 'silent' })
    const bus = await connectBus({ config: given, name: 'provisioner', log, firstAttempts: attempts }).catch(
      (error) => {
        throw new Error(`cannot connect to NATS: ${messageOf(error)}`)
      },
    )
    try {
      return await provisionStreams(bus, { replicas, maxBytes: { submit, event } })
    } finally {
      await bus.drain()
    }
  },
})
