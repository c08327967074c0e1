/**
 * Creates the streams and their consumers as planned, and then the witnesses that are missing. It connects to NATS as the one user that
 * may do so, and to PostgreSQL as the services whose databases are witnessed.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { provisionStreams } from '@financial-agents/bus/provision-streams'
import { defineCommand, messageOf } from '@financial-agents/runtime/command'
import { busConfig, readConfig } from '@financial-agents/runtime/config'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { makeWitnesses } from '@financial-agents/witness/make'
import { z } from 'zod'
import { connectProvisioner } from './connect-provisioner.ts'

const mib = 1 << 20
const bytes = z.coerce.number().int().min(mib)

export const config = busConfig.extend({
  /** Copies of each stream, each on its own server. */
  STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(3),
  /** The size limit of each stream. A full stream refuses messages, and the background jobs publish them again later. */
  STREAM_MAX_BYTES_SUBMIT: bytes.default(128 * mib),
  STREAM_MAX_BYTES_EVENT: bytes.default(2_048 * mib),
  /** The addresses of the two databases that have a witness, as their own services have them. Each has to lead to the newest primary. */
  OPERATIONS_DATABASE_URL: z.string(),
  SUBMITTER_DATABASE_URL: z.string(),
})

/** Time to wait for servers that are starting and for migrations, because the job may start before them. */
const patienceMs = 60_000
const pauseMs = 1_000

export const command = defineCommand({
  summary: 'make the streams, their consumers and the witnesses, or bring them up to date',
  config,
  run: ({ environment }) => provision(readConfig(config, environment), patienceMs),
})

/** Idempotent. Returns a line for each stream, consumer and witness. */
export async function provision(given: z.output<typeof config>, waitMs: number): Promise<string[]> {
  const { STREAM_REPLICAS: replicas, STREAM_MAX_BYTES_SUBMIT: submit, STREAM_MAX_BYTES_EVENT: event } = given
  const until = performance.now() + waitMs
  const bus = await patiently(until, 'cannot connect to NATS', isNatsStarting, () => connectProvisioner(given))
  try {
    const streams = await provisionStreams(bus, { replicas, maxBytes: { submit, event } })
    const { OPERATIONS_DATABASE_URL: operations, SUBMITTER_DATABASE_URL: submitter } = given
    const witnesses = await patiently(until, 'cannot make the witnesses', isDatabaseStarting, () =>
      makeWitnesses(bus, { operations, submitter }),
    )
    return [...streams, ...witnesses]
  } finally {
    await bus.drain()
  }
}

/** A wrong seed or file stays wrong, so there is no retry. */
const isNatsStarting = (error: unknown) => (error as Error).name === 'NatsError'

const isDatabaseStarting = (error: unknown) => error instanceof Unavailable

/** Repeats `work` until it succeeds, as long as it fails because something is starting. */
async function patiently<Result>(
  until: number,
  problem: string,
  isStarting: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > until || !isStarting(error))
        throw new Error(`${problem}: ${messageOf(error)}`, { cause: error })
      await delay(pauseMs)
    }
  }
}
