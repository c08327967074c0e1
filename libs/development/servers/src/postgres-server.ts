// A PostgreSQL server for development and tests. Its data is removed when it stops. It is as durable as in production
// (fsync and synchronous commits on), because tests crash it; only its sizes are small. It listens on 127.0.0.1 alone
// and asks every user for a password. The server comes from the first source that has one: POSTGRES_URL, a container,
// the machine, npm.

import { randomBytes } from 'node:crypto'
import { findContainer, type ServerContainer } from './container.ts'
import { getFreePort } from './ports.ts'
import { findPostgresInNpm, findPostgresOnPath, type PostgresBinaries } from './postgres-binaries.ts'
import { createPostgresCluster, type PostgresBackup } from './postgres-cluster.ts'
import { askPostgresVersion } from './postgres-readiness.ts'
import type { PostgresStandby } from './postgres-standby.ts'
import { findServerUser, type User } from './unprivileged-user.ts'

const IMAGE = 'postgres:18'
const CONTAINER_PORT = 5432
const ENVIRONMENT_TIMEOUT_MS = 10_000
const START_TIMEOUT_MS = 60_000

const SETTINGS = {
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Statements carry payloads and must never reach a log.
  log_min_error_statement: 'panic',
  timezone: 'UTC',
  jit: 'off',
}

/** Settings for tests. Tests kill processes and never the machine, and the machine keeps the writes of a killed process. */
export const hastySettings = { fsync: 'off', full_page_writes: 'off' }

export type PostgresSource = 'environment' | 'container' | 'path' | 'npm'

/** The data of a server that was stopped for good. Other servers start from copies of it. */
export type PostgresData = {
  source: PostgresSource
  folder: string
  /** The superuser's password. */
  password: string
}

export type PostgresServer = {
  /** The superuser's address; holds the password: never log it. */
  readonly adminUrl: string
  readonly source: PostgresSource
  /** The server's own version text, such as `18.4`. */
  readonly version: string
  /** The postmaster's process id, if it is our own process and runs. */
  readonly pid: number | undefined
  /**
   * Shuts the server down cleanly if it runs (checkpoint, connections closed), and starts it with the same port and
   * data.
   */
  restart(): Promise<void>
  /** Sends SIGKILL to the postmaster and its backends. After that nothing can commit; `restart` starts the server again. */
  kill(): Promise<void>
  /** Kills the server and starts it with the data that it began with. Only for `path` and `npm`. */
  reset(): Promise<void>
  /**
   * Kills the server, copies its data and starts it again. Only for the sources `path` and `npm`, whose programs are on
   * this machine.
   */
  backUp(): Promise<PostgresBackup>
  /** Kills the server, copies its data, and starts it again with a standby that streams from it. Only for `path` and `npm`. */
  startStandby(): Promise<PostgresStandby>
  /**
   * Shuts the server down cleanly for good. Its data stays until `stop`, so that others can start from it. Only for
   * `path` and `npm`.
   */
  freeze(): Promise<PostgresData>
  /** Stops the server, if it was started here, and removes its data. May be called more than once. */
  stop(): Promise<void>
}

export type StartPostgresOptions = {
  /** Aborts the start. A server that was started already is stopped and removed. */
  signal?: AbortSignal | undefined
  /** Receives progress messages for people, in lines. */
  log: (line: string) => void
  /** Settings of postgresql.conf that override the defaults. */
  settings?: Record<string, string>
  /** The permitted sources, in the usual order; all of them if absent. */
  sources?: readonly PostgresSource[]
  /** Starts from a copy of this data, with the programs that wrote it. */
  data?: PostgresData
}

/**
 * Starts a PostgreSQL server, or connects to the one that POSTGRES_URL names.
 * @throws Error in one line that says what to install or what failed; the abort reason if aborted.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<PostgresServer> {
  const sources = options.data === undefined ? options.sources : [options.data.source]
  const allowed = (source: PostgresSource) => sources?.includes(source) ?? true
  options.signal?.throwIfAborted()

  const address = process.env['POSTGRES_URL']
  if (allowed('environment') && address) return connectToAddress(address, options)
  if (allowed('container')) {
    const server = await startInContainer(options)
    if (server !== undefined) return server
  }
  const user = await findServerUser()
  const binaries = await findBinaries(user, copiableSources.filter(allowed))
  if (binaries !== undefined) return startFromBinaries(binaries, user, options)
  throw new Error(
    'no PostgreSQL 15 or newer was found: run "npx -y pnpm@12 install" (it brings one on Linux and macOS), install PostgreSQL, start Docker, or set POSTGRES_URL to the address of a superuser',
  )
}

/** The sources whose data can be copied, in the usual order. */
const copiableSources = ['path', 'npm'] as const

type CopiableSource = (typeof copiableSources)[number]

/** Takes the first source that has programs. */
async function findBinaries(
  user: User | undefined,
  sources: readonly CopiableSource[],
): Promise<PostgresBinaries | undefined> {
  const finders = { path: findPostgresOnPath, npm: findPostgresInNpm }
  for (const source of sources) {
    const binaries = await finders[source](user)
    if (binaries !== undefined) return binaries
  }
  return undefined
}

/**
 * Describes the PostgreSQL of this machine whose data can be copied, from the first of these sources that has one. Only a PostgreSQL
 * with the same description can read these data. Undefined if there is none.
 */
export async function describeCopiablePostgres(
  sources: readonly CopiableSource[] = copiableSources,
): Promise<{ source: CopiableSource; description: string } | undefined> {
  const user = await findServerUser()
  const binaries = await findBinaries(user, sources)
  if (binaries === undefined) return undefined
  const { source, version, binFolder } = binaries
  return { source, description: `${source} ${version} ${binFolder} ${user?.uid ?? 'ourselves'}` }
}

async function connectToAddress(adminUrl: string, { log, signal }: StartPostgresOptions): Promise<PostgresServer> {
  const name = 'PostgreSQL at POSTGRES_URL'
  const version = await askPostgresVersion(adminUrl, { name, timeoutMs: ENVIRONMENT_TIMEOUT_MS, signal })
  log(`PostgreSQL ${version}: at POSTGRES_URL`)
  const refuse = () => Promise.reject(new Error(`${name} was not started here: it is neither restarted nor killed`))
  return {
    adminUrl,
    source: 'environment',
    version,
    pid: undefined,
    restart: refuse,
    kill: refuse,
    reset: refuse,
    backUp: refuse,
    startStandby: refuse,
    freeze: refuse,
    stop: async () => {},
  }
}

function makeAdminUrl(host: string, port: number, password: string): string {
  return `postgres://postgres:${password}@${host}:${port}/postgres`
}

function mergeSettings(settings: Record<string, string> | undefined): string[] {
  return Object.entries({ ...SETTINGS, ...settings }).flatMap(([key, value]) => ['-c', `${key}=${value}`])
}

async function startInContainer({ log, signal, settings }: StartPostgresOptions): Promise<PostgresServer | undefined> {
  const port = await getFreePort()
  const password = randomBytes(24).toString('base64url')
  const container = await findContainer({
    image: IMAGE,
    ports: [{ container: CONTAINER_PORT, host: port }],
    environment: { POSTGRES_PASSWORD: password },
    command: ['postgres', ...mergeSettings(settings)],
    log,
    signal,
  })
  if (container === undefined) return undefined
  const adminUrl = makeAdminUrl(container.host, port, password)
  const ready = () =>
    askPostgresVersion(adminUrl, { name: `PostgreSQL (${IMAGE})`, timeoutMs: START_TIMEOUT_MS, signal })
  try {
    const version = await ready()
    log(`PostgreSQL ${version}: container of ${IMAGE}`)
    return describeContainer(container, { adminUrl, version, ready })
  } catch (error) {
    await container.remove()
    throw error
  }
}

function describeContainer(
  container: ServerContainer,
  { adminUrl, version, ready }: { adminUrl: string; version: string; ready: () => Promise<string> },
): PostgresServer {
  let removed: Promise<void> | undefined
  const refuse = () =>
    Promise.reject(new Error('the data of a container are not copied: allow the sources path and npm alone'))
  return {
    adminUrl,
    source: 'container',
    version,
    pid: undefined,
    restart: async () => {
      await container.restart()
      await ready()
    },
    kill: () => container.kill(),
    reset: refuse,
    backUp: refuse,
    startStandby: refuse,
    freeze: refuse,
    stop: () => (removed ??= container.remove()),
  }
}

async function startFromBinaries(
  binaries: PostgresBinaries,
  user: User | undefined,
  { log, signal, settings, data }: StartPostgresOptions,
): Promise<PostgresServer> {
  const port = await getFreePort()
  const password = data?.password ?? randomBytes(24).toString('base64url')
  const adminUrl = makeAdminUrl('127.0.0.1', port, password)
  log(`PostgreSQL ${binaries.version}: ${binaries.source === 'npm' ? 'from npm' : binaries.binFolder}`)
  const cluster = await createPostgresCluster({
    binaries,
    user,
    port,
    password,
    adminUrl,
    arguments: mergeSettings(settings),
    dataToCopy: data?.folder,
    signal,
  })
  return {
    adminUrl,
    source: binaries.source,
    version: binaries.version,
    get pid() {
      return cluster.pid()
    },
    restart: cluster.restart,
    kill: cluster.kill,
    reset: cluster.reset,
    backUp: cluster.backUp,
    startStandby: cluster.startStandby,
    freeze: async () => ({ source: binaries.source, folder: await cluster.freeze(), password }),
    stop: cluster.remove,
  }
}
