/**
 * The process of a service: configuration, log, clock, health, start and shutdown. A shutdown first stops taking
 * work, then finishes current work, then closes connections. A second signal, or a shutdown that takes too long, ends
 * the process at once. A signal during the start stops the parts that have started by then, because they may already
 * take work.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, createClock, moveDateWith } from '@financial-agents/runtime/clock'
import { busConfig, ConfigError, commonConfig, readConfig } from '@financial-agents/runtime/config'
import { failpointIsSet } from '@financial-agents/runtime/failpoint'
import { createLog, type Log } from '@financial-agents/runtime/log'
import { observeProcess } from '@financial-agents/runtime/metrics/process-figures'
import { shutdownTelemetry } from '@financial-agents/runtime/telemetry-shutdown'
import type { z } from 'zod'
import { startHealth } from './health.ts'
import type { Started } from './service.ts'

const shutdownLimitMs = 20_000
/** The time that a start has to end after a signal. A start that waits for an absent server would never end. */
const startPatienceMs = 3_000

const graceConfig = busConfig.pick({ NATS_REQUEST_GRACE_MS: true })
const testVariables = 'FAILPOINT, MOVABLE_CLOCK and NATS_REQUEST_GRACE_MS'

/** The service that a process runs. */
export type ProcessOptions<Config extends z.ZodObject> = {
  name: string
  /** The variables of the service, in addition to those that every service takes. */
  config: Config
  /** If the clock may be moved, the global `Date` follows it. */
  dateFollowsClock?: true
  start: (given: { config: z.output<Config>; log: Log; clock: Clock }) => Promise<Started>
}

/** Runs a service until SIGTERM or SIGINT. Exit code 0 after a clean stop, 1 otherwise. */
export async function runProcess<Config extends z.ZodObject>(service: ProcessOptions<Config>): Promise<void> {
  const common = exitWithoutConfig(() => readConfig(commonConfig, process.env))
  const config = exitWithoutConfig(() => readConfig(service.config, process.env))
  const grace = exitWithoutConfig(() => readConfig(graceConfig, process.env))
  const isTest = failpointIsSet() || common.MOVABLE_CLOCK || grace.NATS_REQUEST_GRACE_MS > 0
  if (common.ENVIRONMENT === 'production' && isTest)
    return exitWith(`configuration: ${testVariables} are for development and tests alone`)
  const log = createLog({ service: service.name, level: common.LOG_LEVEL })
  const clock = createClock()
  if (common.MOVABLE_CLOCK && service.dateFollowsClock) moveDateWith(clock)
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })
  const stopped = stopSignal()
  try {
    let started: Started | undefined
    observeProcess()
    const health = await startHealth({
      service: service.name,
      host: common.HEALTH_HOST,
      port: common.HEALTH_PORT,
      clock: common.MOVABLE_CLOCK ? clock : null,
      checks: () => started?.checks ?? {},
    })
    const starting = service.start({ config, log, clock })
    started = await Promise.race([starting, stopped])
    if (started) {
      health.setReady(true)
      log.info('ready')
      await stopped
      health.setReady(false)
    }
    log.info('stopping')
    setTimeout(() => exitWith(`${service.name}: the shutdown took too long`), shutdownLimitMs).unref()
    started ??= await Promise.race([starting, delay(startPatienceMs, undefined)])
    await started?.stop()
    await health.close()
    log.info('stopped')
    await shutdownTelemetry()
    process.exit(0)
  } catch (error) {
    // A wrong configuration of an adapter shows only when the adapter is opened.
    if (error instanceof ConfigError) exitWith(error.message)
    log.fatal({ err: error }, 'could not run')
    process.exit(1)
  }
}

function stopSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve(undefined)
      })
    }
  })
}

/** Returns the result of `read`. A wrong configuration ends the process with one line that names the variables. */
export function exitWithoutConfig<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof ConfigError) return exitWith(error.message)
    throw error
  }
}

function exitWith(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
