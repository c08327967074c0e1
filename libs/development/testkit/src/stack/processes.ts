/** Starts, stops, kills and replaces the processes of a stack's services, and runs their commands. */

import { createWriteStream, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Child, describeExit, runToEnd, startChild } from '@financial-agents/servers/child-process'
import { getFreePort } from '@financial-agents/servers/ports'
import { commandCompileCache, compileCache } from './compile-cache.ts'
import { type Bundles, programOf } from './programs.ts'
import { type ServiceName, serviceNames } from './stack-services.ts'

const readyTimeoutMs = 120_000
const stopGraceMs = 120_000

/** A process of a service. */
export type ServiceProcess = {
  name: ServiceName
  child: Child
  healthUrl: string
  /** The gateway's own address; undefined for other services. */
  url?: string
}

/** Options for starting a process of the stack. */
export type StartOptions = { port?: number; waitReady?: boolean }

/** The processes of a stack, by service. */
export type Processes = {
  /** Running processes by service; more than one if replicas were started. */
  processes: ReadonlyMap<ServiceName, ServiceProcess[]>
  /**
   * Starts a process of a service, optionally with more environment. Waits until it is ready, unless `waitReady` is
   * false.
   */
  start(name: ServiceName, environment?: Record<string, string>, options?: StartOptions): Promise<ServiceProcess>
  /** Sends SIGKILL to every process of a service. */
  kill(name: ServiceName): Promise<void>
  /** Sends SIGTERM to every process of a service, and waits until they have ended. */
  stopService(name: ServiceName): Promise<void>
  stopAll(): Promise<void>
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
  signal?: AbortSignal
}

/** Starts, stops and kills the processes of a stack. */
export function createProcesses(options: Options): Processes {
  const processes = new Map<ServiceName, ServiceProcess[]>()
  const running = (name: ServiceName) => processes.get(name) ?? []
  const endAll = async (name: ServiceName, end: (child: Child) => Promise<void>) => {
    await Promise.all(running(name).map(({ child }) => end(child)))
  }
  return {
    processes,
    environmentOf: options.environmentOf,
    start: async (name, environment = {}, { port, waitReady: waits = true } = {}) => {
      const more = { ...environment, ...(port === undefined ? {} : { PORT: String(port) }) }
      const entry = await startService(options, name, more)
      if (name === 'gateway') entry.url = port === undefined ? options.gatewayUrl : `http://127.0.0.1:${port}`
      processes.set(name, [...running(name), entry])
      void entry.child.exited.then(() =>
        processes.set(
          name,
          running(name).filter((other) => other !== entry),
        ),
      )
      if (waits) await waitReady(name, entry.child, `${entry.healthUrl}/ready`)
      return entry
    },
    kill: (name) => endAll(name, (child) => child.kill()),
    stopService: (name) => endAll(name, (child) => child.stop({ graceMs: stopGraceMs })),
    stopAll: async () => {
      for (const name of serviceNames.toReversed()) await endAll(name, (child) => child.stop())
    },
    runCommand: async (name, command, args, environment = {}) => {
      const program = programOf(name, options.bundles)
      // Runs as our own user, because the commands read files of ours.
      return runToEnd(`${name} ${command}`, process.execPath, [...program.args, command, ...args], {
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
  const healthPort = await getFreePort()
  const log = createWriteStream(join(options.logFolder, `${name}.log`), { flags: 'a' })
  const program = programOf(name, options.bundles)
  const child = await startChild(name, process.execPath, program.args, {
    ...program.options,
    env: { ...compileCache, ...options.environmentOf(name), HEALTH_PORT: String(healthPort), ...environment },
    onLine: writeTo(log),
  })
  void child.exited.then(() => log.end())
  return { name, child, healthUrl: `http://127.0.0.1:${healthPort}` }
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

/** Returns a listener that writes lines to a file. */
export function writeTo(stream: WriteStream): (line: string) => void {
  return (line) => {
    stream.write(`${line}\n`)
  }
}

async function putClock(url: string, offsetMs: number): Promise<void> {
  const body = JSON.stringify({ offset_ms: offsetMs })
  const answer = await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
}
