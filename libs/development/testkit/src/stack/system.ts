/**
 * Runs the services of a stack in one process, for development and for tests that kill none. Each service has its own
 * configuration, log file, clock, metrics, health listener, connection to NATS and pools. In production each has a process.
 */

import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { messageOf } from '@financial-agents/runtime/command'
import type { Environment } from '@financial-agents/runtime/config'
import { runInstance } from '@financial-agents/runtime/instance'
import { openLogFile } from '@financial-agents/runtime/log'
import { callProgram, runProgram } from '@financial-agents/runtime/program'
import type { ServiceProgram } from '@financial-agents/service/service'

/** The plan of the process. Its parent passes it in an environment variable. */
export type SystemPlan = {
  /** The folder with a log file for each service. */
  logFolder: string
  /**
   * The port of the listener that stops and starts a service: `DELETE /<service>` answers once the service has stopped, `PUT` with
   * its environment once it has started again.
   */
  controlPort: number
  /** The environment of each service, in the order in which they are stopped. */
  environments: Readonly<Record<string, Environment>>
  /** Commands that end before the gateway starts, because the gateway reads the clients' origins once. */
  commands: readonly { service: string; command: string; file: string; environment: Environment }[]
}

export const planVariable = 'STACK_PLAN'

/** The line that the process prints once every service has started. */
export const startedLine = 'started'

type Load = (name: string) => Promise<{ service: ServiceProgram }>

type Services = Pick<SystemPlan, 'logFolder' | 'environments' | 'commands'>

/** Services that run in this process. */
export type RunningServices = {
  start(service: string, environment: Environment): Promise<void>
  stop(service: string): Promise<void>
  /** Stops them in the order of the plan. */
  stopAll(): Promise<void>
}

/** The services of one build. The bundle of a system exports them; modules of another build would not share their state. */
export type System = {
  /** Starts the services of the plan, and waits until they are ready. */
  start(plan: Services): Promise<RunningServices>
  /** Runs a command of a service; returns its output. Throws its message if it fails. */
  call(service: string, args: readonly string[], environment: Environment): Promise<string>
}

/** @param load imports the definition of a service */
export function systemOf(load: Load): System {
  return {
    start: async (plan) => {
      const stops = new Map(await startAll(load, plan))
      const stop = async (service: string) => {
        await stops.get(service)?.()
        stops.delete(service)
      }
      return {
        stop,
        start: async (service, environment) => {
          stops.set(service, await launchOne(load, service, { environment, logFolder: plan.logFolder }))
        },
        stopAll: async () => {
          for (const service of stops.keys()) await stop(service)
        },
      }
    },
    call: (name, args, environment) => callOne(load, name, args, environment),
  }
}

/**
 * The program of a process with all services: runs those of the plan until SIGTERM, or one command with the arguments
 * `<service> <command> …`.
 * @param load imports the definition of a service
 */
export async function runSystem(load: Load): Promise<void> {
  const [name, ...args] = process.argv.slice(2)
  if (name !== undefined) return runProgram((await load(name)).service.program, args)
  process.on('unhandledRejection', end)
  try {
    const plan = JSON.parse(process.env[planVariable] ?? '') as SystemPlan
    const running = await systemOf(load).start(plan)
    const carryOut = async (request: IncomingMessage) => {
      const service = request.url?.slice(1) ?? ''
      if (request.method === 'PUT') await running.start(service, JSON.parse(await text(request)) as Environment)
      else await running.stop(service)
    }
    createServer((request, response) => {
      void carryOut(request).then(() => response.end(), end)
    }).listen(plan.controlPort, '127.0.0.1')
    process.once('SIGTERM', () => void running.stopAll().then(() => process.exit(0), end))
    process.stdout.write(`${startedLine}\n`)
  } catch (error) {
    end(error)
  }
}

/** Returns the function that stops each service, in the order of the plan. */
async function startAll(load: Load, { environments, commands, logFolder }: Services) {
  const declared = Promise.all(
    commands.map(({ service, command, file, environment }) => callOne(load, service, [command, file], environment)),
  )
  return Promise.all(
    Object.entries(environments).map(async ([name, environment]) => {
      if (name === 'gateway') await declared
      return [name, await launchOne(load, name, { environment, logFolder })] as const
    }),
  )
}

function callOne(load: Load, name: string, args: readonly string[], environment: Environment): Promise<string> {
  return runAs(name, load, async ({ program }) => {
    const { code, stdout, stderr } = await callProgram(program, args, environment)
    if (code !== 0) throw new Error(stderr.trim())
    return stdout
  })
}

/** Launches a service. Returns the function that stops it. */
function launchOne(load: Load, name: string, given: { environment: Environment; logFolder: string }) {
  return runAs(name, load, async ({ launch }) => {
    const { ready, stop } = await launch(given.environment, openLogFile(join(given.logFolder, `${name}.log`)))
    await ready
    return stop
  })
}

/** Runs the work as an instance of its own. @throws Error that names the service */
async function runAs<Result>(name: string, load: Load, work: (service: ServiceProgram) => Promise<Result>) {
  try {
    return await runInstance(async () => work((await load(name)).service))
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`, { cause: error })
  }
}

function end(error: unknown): never {
  const { stack } = error as { stack?: string }
  process.stderr.write(`${messageOf(error)}\n${stack ?? ''}\n`)
  process.exit(1)
}
