/**
 * The whole system on one machine: PostgreSQL, nats-server, the fake provider and every service as a process of its
 * own, with the accounts, roles and permissions of production. What it started it stops, and nothing else.
 */

import { randomBytes } from 'node:crypto'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { provisionRoles, roleUrl, type ServiceRole } from '@financial-agents/postgres/provision'
import { type Child, describeExit, runToEnd, startChild } from '../servers/child-process.ts'
import { getFreePort, isPortFree } from '../servers/ports.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts'
import { type Nats, startProvisionedNats } from './nats.ts'
import { type SeededClient, writeSeed } from './seed.ts'
import {
  createStackKeys,
  type ServiceName,
  type StackFacts,
  schemaOwners,
  serviceEnvironment,
  serviceNames,
} from './stack-services.ts'

const repository = join(import.meta.dirname, '../../../..')
const readyTimeoutMs = 30_000

export type StackOptions = {
  /** For keys, registrations and logs; made if absent. */
  folder: string
  /** The gateway's; a free one when absent. */
  port?: number
  enabledCapabilities?: readonly string[]
  /** What every call to the fake provider takes at least. */
  providerLatencyMs?: number
  /** Settings of PostgreSQL. */
  postgresSettings?: Record<string, string>
  /** More environment for a service, for example shorter sweeps. */
  environment?: Partial<Record<ServiceName | 'all', Record<string, string>>>
  log: (line: string) => void
  signal?: AbortSignal
}

export type StartOptions = { port?: number; waitReady?: boolean }

/** A process of a service. */
export type ServiceProcess = {
  name: ServiceName
  child: Child
  healthUrl: string
  /** The gateway's own address; undefined for the rest. */
  url?: string
}

export type Stack = {
  baseUrl: string
  providerUrl: string
  clients: SeededClient[]
  postgres: PostgresServer
  nats: Nats
  /** Keys of this stack alone. */
  keys: StackFacts['keys']
  /** Running processes by service; more than one where replicas were started. */
  processes: Map<ServiceName, ServiceProcess[]>
  /** Starts a process of a service, with more environment if wanted, and waits until it is ready unless told not to. */
  start(name: ServiceName, environment?: Record<string, string>, options?: StartOptions): Promise<ServiceProcess>
  /** SIGKILL to every process of a service. */
  kill(name: ServiceName): Promise<void>
  /** SIGTERM to every process of a service, and waits. */
  stopService(name: ServiceName): Promise<void>
  /** Runs a command of a service, for example `apply-clients.ts`, to its end; throws its last lines when it fails. */
  runCommand(name: ServiceName, file: string, args: string[], environment?: Record<string, string>): Promise<void>
  /** The registrations and bindings that were applied at the start. */
  declarations: { clientsFile: string; bindingsFile: string }
  /** Moves the clock of these services, and of no other. */
  moveClock(names: readonly ServiceName[], offsetMs: number): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts everything and waits until every service is ready.
 * @throws Error in one line that says what is missing or which service failed
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { log, folder } = options
  if (options.port !== undefined && !(await isPortFree(options.port)))
    throw new Error(`port ${options.port} is in use: stop what uses it, or choose another with --port`)
  const port = options.port ?? (await getFreePort())
  await mkdir(join(folder, 'logs'), { recursive: true, mode: 0o700 })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).toReversed()) await each().catch(() => {})
  }
  try {
    const [postgres, nats, provider, seed] = await settleAll([
      startPostgres({ log, settings: options.postgresSettings ?? {}, ...pick(options, 'signal') }).then((server) => {
        stops.push(() => server.stop())
        return server
      }),
      startProvisionedNats({ log, ...pick(options, 'signal') }).then((started) => {
        stops.push(() => started.server.stop())
        return started
      }),
      startProvider(options, stops),
      writeSeed(folder),
    ])
    const baseUrl = `http://127.0.0.1:${port}`
    const facts: StackFacts = {
      keys: createStackKeys(),
      baseUrl,
      port,
      providerUrl: provider.url,
      enabledCapabilities: options.enabledCapabilities ?? [],
    }
    const roles = schemaOwners.map((service) => ({ service, password: randomBytes(18).toString('hex') }))
    await provisionRoles(postgres.adminUrl, roles)
    const context: Context = { options, facts, postgres, nats, roles, processes: new Map(), starting: 0 }
    stops.push(() => stopAll(context))
    log('migrating and registering clients')
    await Promise.all(schemaOwners.map((name) => runCommand(context, name, 'migrate.ts', [])))
    await Promise.all([
      runCommand(context, 'authz', 'apply-clients.ts', [seed.clientsFile]),
      runCommand(context, 'onboarding', 'apply-bindings.ts', [seed.bindingsFile]),
    ])
    log(`starting ${serviceNames.length} services`)
    await settleAll(serviceNames.map((name) => startService(context, name, {})))
    return {
      baseUrl,
      providerUrl: provider.url,
      clients: seed.clients,
      postgres,
      nats,
      keys: facts.keys,
      processes: context.processes,
      start: (name, environment = {}, startOptions = {}) => startService(context, name, environment, startOptions),
      kill: (name) => endProcesses(context, name, (child) => child.kill()),
      stopService: (name) => endProcesses(context, name, (child) => child.stop({ graceMs: 25_000 })),
      runCommand: (name, file, args, environment) => runCommand(context, name, file, args, environment),
      declarations: { clientsFile: seed.clientsFile, bindingsFile: seed.bindingsFile },
      moveClock: (names, offsetMs) => moveClock(context, names, offsetMs),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

type Context = {
  options: StackOptions
  facts: StackFacts
  postgres: PostgresServer
  nats: Nats
  roles: ServiceRole[]
  processes: Map<ServiceName, ServiceProcess[]>
  starting: number
}

/** Waits for all, also when one fails, so that whatever was started is known and can be stopped. */
async function settleAll<Values extends readonly unknown[]>(
  work: {
    [Index in keyof Values]: Promise<Values[Index]>
  },
): Promise<Values> {
  const results = await Promise.allSettled(work)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as Values
}

async function startProvider(options: StackOptions, stops: (() => Promise<unknown>)[]): Promise<{ url: string }> {
  const port = await getFreePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startChild('fake-provider', process.execPath, ['src/main.ts'], {
    cwd: join(repository, 'services/fake-provider'),
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      PROVIDER_LATENCY_MS: String(options.providerLatencyMs ?? 0),
    },
    onLine: writeTo(createWriteStream(join(options.folder, 'logs/fake-provider.log'))),
  })
  stops.push(() => child.stop())
  await waitReady('fake-provider', child, `${url}/health`)
  return { url }
}

function environmentOf(context: Context, name: ServiceName): Record<string, string> {
  const { facts, nats, options, postgres, roles } = context
  const role = roles.find((entry) => entry.service === name)
  return {
    PATH: process.env.PATH ?? '',
    ...otelVariables(name),
    ENVIRONMENT: 'local',
    LOG_LEVEL: 'info',
    HEALTH_HOST: '127.0.0.1',
    MOVABLE_CLOCK: 'true',
    NATS_URL: nats.server.url,
    NATS_NKEY_SEED: nats.seeds[name],
    ...(role ? { DATABASE_URL: roleUrl(postgres.adminUrl, role) } : {}),
    ...serviceEnvironment[name](facts),
    ...options.environment?.all,
    ...options.environment?.[name],
  }
}

function otelVariables(name: ServiceName): Record<string, string> {
  const given = Object.entries(process.env).filter(([variable]) => variable.startsWith('OTEL_'))
  return { ...(Object.fromEntries(given) as Record<string, string>), OTEL_SERVICE_NAME: name }
}

async function runCommand(
  context: Context,
  name: ServiceName,
  file: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<void> {
  await runToEnd(`${name} ${file.replace('.ts', '')}`, process.execPath, [`src/${file}`, ...args], {
    cwd: join(repository, 'services', name),
    env: { ...environmentOf(context, name), ...environment },
    ...pick(context.options, 'signal'),
  })
}

async function startService(
  context: Context,
  name: ServiceName,
  environment: Record<string, string>,
  { port, waitReady: waits = true }: StartOptions = {},
): Promise<ServiceProcess> {
  const healthPort = await getFreePort()
  const healthUrl = `http://127.0.0.1:${healthPort}`
  context.starting += 1
  const log = createWriteStream(join(context.options.folder, 'logs', `${name}.log`), { flags: 'a' })
  const child = await startChild(
    name,
    process.execPath,
    ['--import', '@financial-agents/runtime/telemetry', 'src/main.ts'],
    {
      cwd: join(repository, 'services', name),
      env: {
        ...environmentOf(context, name),
        HEALTH_PORT: String(healthPort),
        ...(port === undefined ? {} : { PORT: String(port) }),
        ...environment,
      },
      onLine: writeTo(log),
    },
  )
  const entry: ServiceProcess = { name, child, healthUrl }
  if (name === 'gateway') entry.url = `http://127.0.0.1:${port ?? context.facts.port}`
  context.processes.set(name, [...(context.processes.get(name) ?? []), entry])
  void child.exited.then(() => {
    log.end()
    context.processes.set(
      name,
      (context.processes.get(name) ?? []).filter((other) => other !== entry),
    )
  })
  if (waits) await waitReady(name, child, `${healthUrl}/ready`)
  return entry
}

async function waitReady(name: string, child: Child, url: string): Promise<void> {
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

async function endProcesses(context: Context, name: ServiceName, end: (child: Child) => Promise<void>): Promise<void> {
  await Promise.all((context.processes.get(name) ?? []).map(({ child }) => end(child)))
}

async function stopAll(context: Context): Promise<void> {
  for (const name of [...serviceNames].toReversed()) await endProcesses(context, name, (child) => child.stop())
}

async function moveClock(context: Context, names: readonly ServiceName[], offsetMs: number): Promise<void> {
  const body = JSON.stringify({ offset_ms: offsetMs })
  for (const { healthUrl } of names.flatMap((name) => context.processes.get(name) ?? [])) {
    const url = `${healthUrl}/clock`
    const answer = await fetch(url, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  }
}

function writeTo(stream: WriteStream): (line: string) => void {
  return (line) => {
    stream.write(`${line}\n`)
  }
}

function pick<Source extends object, Name extends keyof Source>(
  source: Source,
  name: Name,
): Partial<Pick<Source, Name>> {
  return source[name] === undefined ? {} : ({ [name]: source[name] } as Pick<Source, Name>)
}

/** Removes a stack's folder. */
export function removeStackFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
