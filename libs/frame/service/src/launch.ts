/**
 * Launches a service: configuration, log, clock, health listener and start. A shutdown first stops taking work, then
 * finishes current work, then closes connections. A shutdown during the start stops the parts that have started by then,
 * because they may already take work.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, createClock, moveDateWith } from '@financial-agents/runtime/clock'
import { busConfig, ConfigError, commonConfig, type Environment, readConfig } from '@financial-agents/runtime/config'
import { createLog, type Log, type LogDestination } from '@financial-agents/runtime/log'
import { observeProcess } from '@financial-agents/runtime/metrics/process-figures'
import { z } from 'zod'
import { startHealth } from './health.ts'

/** The checks that `/ready` runs, by name. A check resolves if its part works, and rejects if not. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>

export type Started = { checks: Checks; stop: () => Promise<void> }

/** The time that a start has to end after a signal. A start that waits for an absent server would never end. */
const startPatienceMs = 3_000

const testConfig = busConfig.pick({ NATS_REQUEST_GRACE_MS: true }).extend({ FAILPOINT: z.string().optional() })

export type LaunchOptions<Config extends z.ZodObject> = {
  name: string
  /** The variables of the service, in addition to those that every service takes. */
  config: Config
  /** If the clock may be moved, the global `Date` follows it. */
  dateFollowsClock?: true
  start: (given: { config: z.output<Config>; log: Log; clock: Clock; environment: Environment }) => Promise<Started>
}

export type Launched = {
  log: Log
  /** Resolves once the service is ready. */
  ready: Promise<void>
  stop: () => Promise<void>
}

/**
 * Launches the service with the variables of `environment` alone.
 * @param destination of the log; standard output if absent
 * @throws ConfigError in one line that names every wrong variable
 */
export async function launch<Config extends z.ZodObject>(
  service: LaunchOptions<Config>,
  environment: Environment,
  destination?: LogDestination,
): Promise<Launched> {
  // Reads all variables at once, so that one line names every error.
  readConfig(z.object({ ...commonConfig.shape, ...service.config.shape }), environment)
  const common = readConfig(commonConfig, environment)
  const config = readConfig(service.config, environment)
  const { FAILPOINT, NATS_REQUEST_GRACE_MS } = readConfig(testConfig, environment)
  const isTest = FAILPOINT !== undefined || common.MOVABLE_CLOCK || NATS_REQUEST_GRACE_MS > 0
  if (common.ENVIRONMENT === 'production' && isTest)
    throw new ConfigError(
      'configuration: FAILPOINT, MOVABLE_CLOCK and NATS_REQUEST_GRACE_MS are for development and tests alone',
    )
  const log = createLog({ service: service.name, level: common.LOG_LEVEL, destination })
  const clock = createClock()
  if (common.MOVABLE_CLOCK && service.dateFollowsClock) moveDateWith(clock)
  observeProcess()
  let started: Started | undefined
  let stopping = false
  const health = await startHealth({
    service: service.name,
    host: common.HEALTH_HOST,
    port: common.HEALTH_PORT,
    clock: common.MOVABLE_CLOCK ? clock : null,
    checks: () => started?.checks ?? {},
  })
  const start = async () => {
    started = await service.start({ config, log, clock, environment })
    if (stopping) return
    health.setReady(true)
    log.info('ready')
  }
  const ready = start()
  // `stop` may be called before anybody waits for the start.
  ready.catch(() => {})
  return {
    log,
    ready,
    stop: async () => {
      stopping = true
      health.setReady(false)
      log.info('stopping')
      if (!started) await Promise.race([ready, delay(startPatienceMs)])
      await started?.stop()
      await health.close()
      log.info('stopped')
    },
  }
}
