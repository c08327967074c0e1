/**
 * Creates or updates the streams and their consumers, and reports each change. Idempotent. It runs as the provisioner,
 * the only user that may do so. Consumers outside the plan are reported and kept: they may belong to somebody else.
 */

import { isDeepStrictEqual } from 'node:util'
import type { ConsumerConfig, JetStreamManager, StreamConfig } from 'nats'
import type { Bus } from './connect.ts'
import { type StreamOptions, streamPlans } from './streams.ts'

/**
 * Creates or updates the streams and their consumers as planned. Returns a line for each. May be repeated at any time.
 */
export async function provisionStreams(bus: Bus, options: StreamOptions): Promise<string[]> {
  // A busy cluster may take longer than the client's usual five seconds.
  const manager = await bus.connection.jetstreamManager({ timeout: 30_000 })
  const lines: string[] = []
  for (const { config, consumers } of streamPlans(options)) {
    lines.push(await putStream(manager, config))
    for (const consumer of consumers) lines.push(await putConsumer(manager, config.name, consumer))
    const planned = new Set(consumers.map((consumer) => consumer.durable_name))
    for await (const { name } of manager.consumers.list(config.name))
      if (!planned.has(name)) lines.push(`${config.name} ${name}: not in the plan, left as it is`)
  }
  return lines
}

async function putStream(manager: JetStreamManager, config: Partial<StreamConfig> & { name: string }): Promise<string> {
  const existing = await orUndefined(manager.streams.info(config.name))
  if (!existing) {
    await named(config.name, 'cannot be made', manager.streams.add(config))
    return `${config.name}: made`
  }
  if (isAsPlanned(existing.config, config)) return `${config.name}: as it should be`
  await named(
    config.name,
    'is another and cannot be changed into this one',
    manager.streams.update(config.name, config),
  )
  return `${config.name}: changed`
}

async function putConsumer(
  manager: JetStreamManager,
  stream: string,
  config: Partial<ConsumerConfig>,
): Promise<string> {
  const name = `${stream} ${config.durable_name}`
  const existing = await orUndefined(manager.consumers.info(stream, config.durable_name as string))
  if (existing && isAsPlanned(existing.config, config)) return `${name}: as it should be`
  const problem = existing ? 'is another and cannot be changed into this one' : 'cannot be made'
  await named(name, problem, manager.consumers.add(stream, config))
  return `${name}: ${existing ? 'changed' : 'made'}`
}

/** True if the existing object has all planned values. The server adds defaults of its own. */
function isAsPlanned(existing: object, planned: object): boolean {
  return Object.entries(planned).every(([key, value]) =>
    isDeepStrictEqual((existing as Record<string, unknown>)[key], value),
  )
}

const notFound = new Set(['404', 'stream not found', 'consumer not found'])

/**
 * Returns undefined if the object does not exist. Other errors are rethrown: a server that does not answer proves
 * nothing.
 */
async function orUndefined<Info>(info: Promise<Info>): Promise<Info | undefined> {
  return info.catch((error: Error & { code?: string }) => {
    if (notFound.has(error.code ?? '') || notFound.has(error.message)) return undefined
    throw error
  })
}

async function named(name: string, problem: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error: Error) => {
    throw new Error(`${name} ${problem}: ${error.message}`, { cause: error })
  })
}
