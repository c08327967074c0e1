/**
 * The frame of every process: configuration, log, clock, health, start and shutdown. A shutdown first stops taking
 * work, then finishes current work, then closes connections. A second signal, or a shutdown that takes too long, ends
 * the process at once. A signal during the start stops the parts that have started by then, because they may already
 * take work.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { type Clock, createClock, moveDateWith } from './clock.ts'
import type { Command } from './command.ts'
import { ConfigError, commonConfig, readConfig } from './config.ts'
import { failpointIsSet } from './failpoint.ts'
import { startHealth } from './health.ts'
import { createLog, type Log } from './log.ts'
import { observeProcess } from './metrics/process-figures.ts'
import { shutdownTelemetry } from './telemetry-shutdown.ts'

/** The checks of a running service, and its shutdown. */
export type Started = {
  checks: Readonly<Record<string, () => Promise<unknown>>>
  /** Stops taking work, finishes current work, then closes connections, in this order. */
  stop: () => Promise<void>
}

const shutdownLimitMs = 20_000
/** The time that a start has to end after a signal. A start that waits for an absent server would never end. */
const startPatienceMs = 3_000

/** The parts that define a service. */
export type ServiceOptions<Schema extends z.ZodObject> = {
  name: string
  config: Schema
  /** If the clock may be moved, the global `Date` follows it. For services whose libraries read the system's time. */
  dateFollowsClock?: true
  start: (parts: { config: z.output<Schema>; log: Log; clock: Clock }) => Promise<Started>
}

/** The command `serve` of a service. */
export function serviceCommand<Schema extends z.ZodObject>(options: ServiceOptions<Schema>): Command {
  const config = z.object({ ...commonConfig.shape, ...options.config.shape })
  return {
    summary: 'run the service until SIGTERM or SIGINT',
    config,
    run: async () => {
      // Reports all missing and invalid variables at once.
      readOrExit(() => readConfig(config, process.env))
      await runService(options)
      return []
    },
  }
}

/** Runs a service until SIGTERM or SIGINT. Exit code 0 after a clean stop, 1 otherwise. */
async function runService<Schema extends z.ZodObject>(options: ServiceOptions<Schema>): Promise<void> {
  const common = readOrExit(() => readConfig(commonConfig, process.env))
  const config = readOrExit(() => readConfig(options.config, process.env))
  if (common.ENVIRONMENT === 'production' && (failpointIsSet() || common.MOVABLE_CLOCK))
    return exitWith('configuration: FAILPOINT and MOVABLE_CLOCK are for development and tests alone')
  const log = createLog({ service: options.name, level: common.LOG_LEVEL })
  const clock = createClock()
  if (common.MOVABLE_CLOCK && options.dateFollowsClock) moveDateWith(clock)
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    process.exit(1)
  })
  const stopped = stopSignal()
  try {
    let started: Started | undefined
    observeProcess()
    const health = await startHealth({
      service: options.name,
      host: common.HEALTH_HOST,
      port: common.HEALTH_PORT,
      clock: common.MOVABLE_CLOCK ? clock : null,
      checks: () => started?.checks ?? {},
    })
    const starting = options.start({ config, log, clock })
    started = await Promise.race([starting, stopped])
    if (started) {
      health.setReady(true)
      log.info('ready')
      await stopped
      health.setReady(false)
    }
    log.info('stopping')
    setTimeout(() => exitWith(`${options.name}: the shutdown took too long`), shutdownLimitMs).unref()
    started ??= await Promise.race([starting, delay(startPatienceMs, undefined)])
    await started?.stop()
    await health.close()
    log.info('stopped')
    await shutdownTelemetry()
    process.exit(0)
  } catch (error) {
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

function readOrExit<Value>(read: () => Value): Value {
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
