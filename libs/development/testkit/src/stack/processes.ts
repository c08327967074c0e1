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
import { planVariable, type RunningServices, type System, type SystemPlan, startedLine } from './system.ts'

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
  /** Stops the services that run together, does the work, and starts them again at the same addresses. Only for `inProcess`. */
  restartTogether(between: () => Promise<unknown>): Promise<void>
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
  /** Runs the services that run together in this process, in place of one of their own. */
  inProcess?: System
  signal?: AbortSignal
}

/** Starts, stops and kills the processes of a stack. */
export function createProcesses(options: Options): Processes {
  const processes = new Map<ServiceName, ServiceProcess[]>()
  /** The processes of several services, and of the fake providers. */
  const together: Child[] = []
  let system: Together | undefined
  let restart: ((between: () => Promise<unknown>) => Promise<void>) | undefined
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
      const described = await describePlan(options, plan)
      if (options.inProcess) {
        const here = createHere(options.inProcess, described.plan)
        together.push(here.child)
        await here.start()
        restart = here.restart
        system = here
      } else {
        const begun = await startSystem(options, described.plan)
        together.push(begun.child)
        system = begun
        await begun.ready
      }
      const begun = system
      const started = described.each.map(
        ({ name, healthUrl }): ServiceProcess => ({
          ...runsIn(begun, name),
          healthUrl,
          ...(name === 'gateway' ? { url: options.gatewayUrl } : {}),
        }),
      )
      for (const entry of started) add(entry)
      await Promise.all(started.map(({ name, healthUrl }) => waitReady(name, begun.child, `${healthUrl}/ready`)))
    },
    restartTogether: (between) =>
      restart?.(between) ?? Promise.reject(new Error('the services run in another process')),
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
      const { bundles, system, inProcess } = options
      if (inProcess) return inProcess.call(name, [command, ...args], { ...options.environmentOf(name), ...environment })
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

/** Several services in one process: that process, and the functions that stop and start one of them. */
type Together = { child: Child; services: Pick<RunningServices, 'start' | 'stop'> }

async function startAgain(
  options: Options,
  system: Together,
  name: ServiceName,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const { given, healthUrl } = await withHealth(options, name, environment)
  await system.services.start(name, given)
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

async function describePlan(options: Options, { services, fakes, commands }: TogetherPlan) {
  const each = await Promise.all(services.map(async (name) => ({ name, ...(await withHealth(options, name)) })))
  const environments = each.map(({ name, given }): [string, Environment] => [name, given])
  const plan: SystemPlan = {
    logFolder: options.logFolder,
    controlPort: await getFreePort(),
    environments: { ...Object.fromEntries(environments.toReversed()), ...fakes },
    commands: commands.map((each) => ({ ...each, environment: options.environmentOf(each.service) })),
  }
  return { each, plan }
}

async function startSystem({ system }: Options, plan: SystemPlan): Promise<Together & { ready: Promise<void> }> {
  const controlUrl = `http://127.0.0.1:${plan.controlPort}`
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
  const services = {
    start: async (name: string, environment: Environment) =>
      void (await fetch(`${controlUrl}/${name}`, { method: 'PUT', body: JSON.stringify(environment) })),
    stop: async (name: string) => void (await fetch(`${controlUrl}/${name}`, { method: 'DELETE' })),
  }
  return { child, services, ready: Promise.race([begun.promise, ended]) }
}

/** Services in this process. Their `child` stands for this process, and ends when they are stopped. */
function createHere(system: System, plan: SystemPlan) {
  let running: RunningServices | undefined
  const exited = Promise.withResolvers<{ code: number; signal: null }>()
  const services = (): RunningServices => {
    if (running === undefined) throw new Error('the services do not run')
    return running
  }
  const start = async () => {
    running = await system.start(plan)
  }
  const stop = async () => {
    await running?.stopAll()
    running = undefined
    exited.resolve({ code: 0, signal: null })
  }
  const child: Child = {
    name: 'services',
    pid: process.pid,
    exited: exited.promise,
    isRunning: () => running !== undefined,
    lastLines: () => [],
    signal: () => {
      throw new Error('the services run in this process')
    },
    stop,
    kill: stop,
  }
  return {
    child,
    services: {
      start: (name: string, environment: Environment) => services().start(name, environment),
      stop: (name: string) => services().stop(name),
    },
    start,
    restart: async (between: () => Promise<unknown>) => {
      await services().stopAll()
      await between()
      await start()
    },
  }
}

/** A service that runs in one process with other services. */
function runsIn({ child, services }: Together, name: ServiceName) {
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
      await services.stop(name)
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

/** Moves the clock that the address belongs to. */
export async function putClock(url: string, offsetMs: number): Promise<void> {
  const body = JSON.stringify({ offset_ms: offsetMs })
  const answer = await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
}
