/** Starts, stops, kills and replaces a stack's services, together in one process or each in its own, and runs their commands. */

import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment } from '@financial-agents/runtime/config'
import { type Child, describeExit, runToEnd, startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { commandCompileCache, compileCache, keepCompiledFile } from './compile-cache.ts'
import { type Bundles, programOf, systemProgram } from './programs.ts'
import { type ServiceName, serviceNames } from './stack-services.ts'
import { planVariable, type SystemPlan, startedLine } from './system.ts'

const readyTimeoutMs = 120_000
const stopGraceMs = 120_000

export type ServiceProcess = {
  name: ServiceName
  /** Its process. If other services run in it too, it refuses signals, which would reach all of them. */
  child: Child
  runsTogether?: true
  healthUrl: string
  /** The gateway's own address; undefined for other services. */
  url?: string
}

/**
 * Options for starting a process of the stack. `bundles`: another build. `together`: no process, but starts the service
 * again in the process of several in which it was stopped, where it need not be loaded.
 */
export type StartOptions = { port?: number; waitReady?: boolean; bundles?: Bundles; together?: true }

/** The part of a plan that the stack decides. */
export type TogetherPlan = {
  services: readonly ServiceName[]
  /** The environments of the fake providers. */
  fakes: SystemPlan['environments']
  commands: readonly { service: ServiceName; command: string; file: string }[]
}

export type Processes = {
  /** Running processes by service; more than one if replicas were started. */
  processes: ReadonlyMap<ServiceName, ServiceProcess[]>
  /** Waits until the process is ready, unless `waitReady` is false. */
  start(name: ServiceName, environment?: Record<string, string>, options?: StartOptions): Promise<ServiceProcess>
  /** Starts a fake provider in a process of its own, and waits until it answers. */
  startFake(name: string, environment: Environment): Promise<void>
  /** Starts services in one process, and waits until they are ready. */
  startTogether(plan: TogetherPlan): Promise<void>
  /** Sends SIGKILL to every process of a service. */
  kill(name: ServiceName): Promise<void>
  /** Sends SIGTERM to every process of a service, and waits until they have ended. */
  stopService(name: ServiceName): Promise<void>
  stopAll(): Promise<void>
  /** Sends SIGKILL to every process. */
  killAll(): Promise<void>
  /** Runs a command of a service to its end, for example `apply-clients`; returns its output. Throws its last lines if it fails. */
  runCommand(name: ServiceName, command: string, args: string[], environment?: Record<string, string>): Promise<string>
  /** The environment of a service, for commands that a test runs. */
  environmentOf(name: ServiceName): Record<string, string>
  /** Moves the clock of these services only. */
  moveClock(names: readonly ServiceName[], offsetMs: number): Promise<void>
}

type Options = {
  logFolder: string
  gatewayUrl: string
  environmentOf: (name: ServiceName) => Record<string, string>
  bundles?: Bundles
  /** The folder of the bundle of all services; the sources if absent. */
  system?: string
  signal?: AbortSignal
}

/** Starts, stops and kills the processes of a stack. */
export function createProcesses(options: Options): Processes {
  const processes = new Map<ServiceName, ServiceProcess[]>()
  /** The processes of several services, and of the fake providers. */
  const together: Child[] = []
  let system: System | undefined
  const running = (name: ServiceName) => processes.get(name) ?? []
  const own = (name: ServiceName) => running(name).flatMap(({ child, runsTogether }) => (runsTogether ? [] : [child]))
  const add = (entry: ServiceProcess) => {
    const { name, child } = entry
    processes.set(name, [...running(name), entry])
    const others = () => running(name).filter((other) => other !== entry)
    void child.exited.then(() => processes.set(name, others()))
  }
  const endAll = async (name: ServiceName, end: (child: Child) => Promise<void>) => {
    await Promise.all(running(name).map(({ child }) => end(child)))
  }
  return {
    processes,
    environmentOf: options.environmentOf,
    start: async (name, environment = {}, start = {}) => {
      const { port, waitReady: waits = true, bundles = options.bundles } = start
      const more = { ...environment, ...(port === undefined ? {} : { PORT: String(port) }) }
      const entry =
        start.together && system
          ? await startAgain(options, system, name, more)
          : await startService({ ...options, ...(bundles && { bundles }) }, name, more)
      if (name === 'gateway') entry.url = port === undefined ? options.gatewayUrl : `http://127.0.0.1:${port}`
      add(entry)
      if (waits) await waitReady(name, entry.child, `${entry.healthUrl}/ready`)
      return entry
    },
    startFake: async (name, environment) => {
      const child = await startProgram(options, name, environment)
      together.push(child)
      await waitReady(name, child, `http://127.0.0.1:${environment['PORT']}/health`)
    },
    startTogether: async (plan) => {
      const { child, controlUrl, started, begun } = await startSystem(options, plan)
      together.push(child)
      system = { child, controlUrl }
      await begun
      for (const entry of started) add(entry)
      await Promise.all(started.map(({ name, healthUrl }) => waitReady(name, child, `${healthUrl}/ready`)))
    },
    kill: (name) => endAll(name, (child) => child.kill()),
    stopService: (name) => endAll(name, (child) => child.stop({ graceMs: stopGraceMs })),
    stopAll: async () => {
      for (const name of serviceNames.toReversed()) await Promise.all(own(name).map((child) => child.stop()))
      await Promise.all(together.map((child) => child.stop({ graceMs: stopGraceMs })))
    },
    killAll: async () => {
      await Promise.all([...together, ...serviceNames.flatMap(own)].map((child) => child.kill()))
    },
    runCommand: async (name, command, args, environment = {}) => {
      const { bundles, system } = options
      const program = programOf(name, bundles)
      const start = bundles || !system ? program.args : [join(system, systemProgram), name]
      // Runs as our own user, because the commands read files of ours.
      return runToEnd(`${name} ${command}`, process.execPath, [...start, command, ...args], {
        cwd: program.options.cwd,
        env: { ...commandCompileCache, ...options.environmentOf(name), ...environment },
        signal: options.signal,
      })
    },
    moveClock: async (names, offsetMs) => {
      for (const { healthUrl } of names.flatMap(running)) await putClock(`${healthUrl}/clock`, offsetMs)
    },
  }
}

async function startService(
  options: Options,
  name: ServiceName,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const { given, healthUrl } = await withHealth(options, name, environment)
  return { name, child: await startProgram(options, name, given), healthUrl }
}

/** The environment of a service, with a port of its own for its health listener. */
async function withHealth({ environmentOf }: Options, name: ServiceName, environment: Record<string, string> = {}) {
  const port = await getFreePort()
  return {
    given: { ...environmentOf(name), HEALTH_PORT: String(port), ...environment },
    healthUrl: `http://127.0.0.1:${port}`,
  }
}

/** The process of several services, and the address at which they are stopped and started. */
type System = { child: Child; controlUrl: string }

async function startAgain(
  options: Options,
  system: System,
  name: ServiceName,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const { given, healthUrl } = await withHealth(options, name, environment)
  await fetch(`${system.controlUrl}/${name}`, { method: 'PUT', body: JSON.stringify(given) })
  return { ...runsIn(system, name), healthUrl }
}

async function startProgram({ logFolder, bundles }: Options, name: string, environment: Environment): Promise<Child> {
  const log = createWriteStream(join(logFolder, `${name}.log`), { flags: 'a' })
  const program = programOf(name, bundles)
  const child = await startChild(name, process.execPath, program.args, {
    ...program.options,
    env: { PATH: process.env['PATH'], ...compileCache, ...environment },
    onLine: (line) => {
      log.write(`${line}\n`)
    },
  })
  void child.exited.then(() => log.end())
  return child
}

async function startSystem(options: Options, { services, fakes, commands }: TogetherPlan) {
  const controlPort = await getFreePort()
  const controlUrl = `http://127.0.0.1:${controlPort}`
  const each = await Promise.all(services.map(async (name) => ({ name, ...(await withHealth(options, name)) })))
  const environments = each.map(({ name, given }): [string, Environment] => [name, given])
  const plan: SystemPlan = {
    logFolder: options.logFolder,
    controlPort,
    environments: { ...Object.fromEntries(environments.toReversed()), ...fakes },
    commands: commands.map((each) => ({ ...each, environment: options.environmentOf(each.service) })),
  }
  const { system } = options
  const args = system
    ? ['--require', join(system, keepCompiledFile), join(system, systemProgram)]
    : [join(import.meta.dirname, 'system-sources.ts')]
  const begun = Promise.withResolvers<void>()
  const child = await startChild('services', process.execPath, args, {
    env: { PATH: process.env['PATH'], ...compileCache, [planVariable]: JSON.stringify(plan) },
    onLine: (line) => {
      if (line === startedLine) begun.resolve()
    },
  })
  const ended = child.exited.then((status) => {
    throw new Error(`the services did not start (${describeExit(status)}): ${child.lastLines(12).join(' | ')}`)
  })
  ended.catch(() => {})
  const started = each.map(
    ({ name, healthUrl }): ServiceProcess => ({
      ...runsIn({ child, controlUrl }, name),
      healthUrl,
      ...(name === 'gateway' ? { url: options.gatewayUrl } : {}),
    }),
  )
  return { child, controlUrl, started, begun: Promise.race([begun.promise, ended]) }
}

/** A service that runs in one process with other services. */
function runsIn({ child, controlUrl }: System, name: ServiceName) {
  const stopped = Promise.withResolvers<{ code: number; signal: null }>()
  const refuse = (): never => {
    throw new Error(`${name} runs together with other services: start the stack with processes: ['${name}']`)
  }
  const one: Child = {
    ...child,
    exited: Promise.race([child.exited, stopped.promise]),
    signal: refuse,
    kill: refuse,
    stop: async () => {
      await fetch(`${controlUrl}/${name}`, { method: 'DELETE' })
      stopped.resolve({ code: 0, signal: null })
    },
  }
  return { name, child: one, runsTogether: true } as const
}

/**
 * Waits until `url` returns a success status.
 * @throws Error in one line with the process's last output
 */
export async function waitReady(name: string, child: Child, url: string): Promise<void> {
  const until = Date.now() + readyTimeoutMs
  while (Date.now() < until) {
    if (!child.isRunning()) {
      const status = describeExit(await child.exited)
      throw new Error(`${name} did not start (${status}): ${child.lastLines(3).join(' | ')}`)
    }
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    if (answer?.ok) return
    await delay(40)
  }
  throw new Error(`${name} was not ready within ${readyTimeoutMs / 1_000} s: ${child.lastLines(3).join(' | ')}`)
}

async function putClock(url: string, offsetMs: number): Promise<void> {
  const body = JSON.stringify({ offset_ms: offsetMs })
  const answer = await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
}
