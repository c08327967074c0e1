/** The process of a service. A second signal, or a shutdown that takes too long, ends the process at once. */

import { messageOf } from '@financial-agents/runtime/command'
import { ConfigError, type Environment } from '@financial-agents/runtime/config'
import { shutdownTelemetry } from '@financial-agents/runtime/telemetry-shutdown'
import type { z } from 'zod'
import { type Launched, type LaunchOptions, launch } from './launch.ts'

const shutdownLimitMs = 20_000

/** Runs a service until SIGTERM or SIGINT. Exit code 0 after a clean stop, 1 otherwise. */
export async function runProcess<Config extends z.ZodObject>(
  service: LaunchOptions<Config>,
  environment: Environment,
): Promise<void> {
  const stopped = stopSignal()
  let launched: Launched | undefined
  const fail = (error: unknown, what: string) => {
    // A wrong configuration of an adapter shows only when the adapter is opened.
    if (error instanceof ConfigError || !launched) exitWith(messageOf(error))
    launched.log.fatal({ err: error }, what)
    process.exit(1)
  }
  process.on('unhandledRejection', (error) => fail(error, 'unhandled rejection'))
  try {
    launched = await launch(service, environment)
    await Promise.race([launched.ready, stopped])
    await stopped
    setTimeout(() => exitWith(`${service.name}: the shutdown took too long`), shutdownLimitMs).unref()
    await launched.stop()
    await shutdownTelemetry()
    process.exit(0)
  } catch (error) {
    fail(error, 'could not run')
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

function exitWith(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
