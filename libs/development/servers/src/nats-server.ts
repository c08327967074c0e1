// A nats-server for development and tests, with the caller's configuration (accounts, users, JetStream). Its store is
// removed when it stops. The server keeps its ports and its store through a kill. A start can wipe the store, because
// streams must be restorable from PostgreSQL. The server comes from the first source that has one: NATS_URL, a
// container, the PATH, the cache.

import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild } from './child-process.ts'
import { findContainer, type ServerContainer } from './container.ts'
import { getNatsBinary, MINIMUM_NATS_VERSION, type NatsBinary, type NatsBinarySource } from './nats-binary.ts'
import { askNatsVersion } from './nats-readiness.ts'
import { getFreePort } from './ports.ts'
import { makePrivateFolder } from './unprivileged-user.ts'
import { isAtLeast } from './versions.ts'

// This image has a shell. testcontainers needs one to see whether a port is open.
const IMAGE = 'nats:2-alpine'
const CONTAINER_CONFIG = '/etc/nats/financial-agents.conf'
const CONTAINER_STORE = '/data/store'
const ENVIRONMENT_TIMEOUT_MS = 10_000
const START_TIMEOUT_MS = 30_000
const STOP_GRACE_MS = 10_000

/** Source of a nats-server. `cache` holds programs fetched from Debian's package or built by Go. */
export type NatsSource = 'environment' | 'container' | 'path' | 'cache'

/** Addresses that the server must listen on: the host (all interfaces inside a container, else loopback) and two ports. */
export type NatsPorts = { host: string; client: number; monitor: number }

/** A copy of the store of one moment. */
export type NatsBackup = {
  /** Kills the server if it runs, restores the store and starts the server. */
  restore: () => Promise<void>
}

export type NatsServer = {
  /** `nats://127.0.0.1:<port>`, without credentials. */
  readonly url: string
  /** The monitoring endpoint, if the configuration opens it. For the server at NATS_URL, the value of NATS_MONITOR_URL. */
  readonly monitorUrl: string | undefined
  readonly source: NatsSource
  readonly version: string
  /** The process id, if the server is our own process and runs. */
  readonly pid: number | undefined
  /** Sends SIGKILL. The store stays, and `start` starts the server again. */
  kill(): Promise<void>
  /** Starts the server again with the same ports after a kill; with an empty store if `wipeStore` is true. */
  start(options?: { wipeStore?: boolean }): Promise<void>
  /** Kills the server, copies its store and starts it again. Only for programs on this machine: not `container`. */
  backUp(): Promise<NatsBackup>
  /** Stops the server, if it was started here, and removes its store. May be called more than once. */
  stop(): Promise<void>
}

export type PermittedNatsSource = 'environment' | 'container' | NatsBinarySource

export type StartNatsOptions = {
  /** Makes the text of the configuration. `storeDir` is for `jetstream { store_dir }`. Not called for NATS_URL. */
  config: (ports: NatsPorts, storeDir: string) => string
  /** Receives progress messages for people, in lines. */
  log: (line: string) => void
  /** Aborts the start. A server that was started already is stopped and removed. */
  signal?: AbortSignal | undefined
  /** The permitted sources, in the usual order; all of them if absent. */
  sources?: readonly PermittedNatsSource[]
}

/**
 * Starts a nats-server, or connects to the one that NATS_URL names.
 * @throws Error in one line that says what to install or what failed; the abort reason when aborted.
 */
export async function startNats(options: StartNatsOptions): Promise<NatsServer> {
  const { sources, log, signal } = options
  const allowed = (source: 'environment' | 'container') => sources?.includes(source) ?? true
  signal?.throwIfAborted()

  const address = process.env['NATS_URL']
  if (allowed('environment') && address) return connectToAddress(address, options)
  const ports = { client: await getFreePort(), monitor: await getFreePort() }
  if (allowed('container')) {
    const server = await startInContainer(ports, options)
    if (server !== undefined) return server
  }
  const binarySources = sources?.filter((source) => source !== 'environment' && source !== 'container')
  return startFromBinary(await getNatsBinary({ log, signal, sources: binarySources }), ports, options)
}

async function connectToAddress(address: string, { log, signal }: StartNatsOptions): Promise<NatsServer> {
  const name = 'nats-server at NATS_URL'
  const { hostname, port } = new URL(address)
  const target = { host: hostname, port: Number(port || 4222) }
  const version = await askNatsVersion(target, { name, timeoutMs: ENVIRONMENT_TIMEOUT_MS, signal })
  checkVersion(version, name)
  log(`nats-server ${version}: at NATS_URL`)
  const refuse = () => Promise.reject(new Error(`${name} was not started here: it is neither killed nor started`))
  return {
    url: address,
    monitorUrl: process.env['NATS_MONITOR_URL'],
    source: 'environment',
    version,
    pid: undefined,
    kill: refuse,
    start: refuse,
    backUp: refuse,
    stop: async () => {},
  }
}

function checkVersion(version: string, name: string): void {
  if (isAtLeast(version, MINIMUM_NATS_VERSION)) return
  throw new Error(`${name} is ${version}, and ${MINIMUM_NATS_VERSION} or newer is needed`)
}

async function startFromBinary(
  binary: NatsBinary,
  ports: { client: number; monitor: number },
  { config, log, signal }: StartNatsOptions,
): Promise<NatsServer> {
  const name = `nats-server ${binary.version}`
  log(`${name}: ${binary.path}`)
  const folder = await makePrivateFolder('financial-agents-nats-', undefined)
  const storeDir = join(folder, 'store')
  const configFile = join(folder, 'nats.conf')
  let child: Child | undefined
  let removed: Promise<void> | undefined

  const start = async (startSignal?: AbortSignal) => {
    await mkdir(storeDir, { recursive: true })
    child = await startChild(name, binary.path, ['-c', configFile], { cwd: folder })
    const target = { host: '127.0.0.1', port: ports.client }
    await askNatsVersion(target, { name, child, timeoutMs: START_TIMEOUT_MS, signal: startSignal })
  }
  const remove = async () => {
    await child?.stop({ graceMs: STOP_GRACE_MS })
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  try {
    await writeFile(configFile, config({ host: '127.0.0.1', ...ports }, storeDir), { mode: 0o600 })
    await start(signal)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    ...addresses('127.0.0.1', ports),
    source: binary.source,
    version: binary.version,
    get pid() {
      return child?.isRunning() ? child.pid : undefined
    },
    kill: async () => child?.kill(),
    start: async ({ wipeStore = false } = {}) => {
      if (removed !== undefined) throw new Error('this nats-server was stopped and its store removed')
      if (child?.isRunning()) throw new Error('this nats-server runs already')
      if (wipeStore) await rm(storeDir, { recursive: true, force: true })
      await start()
    },
    backUp: async () => {
      const backup = join(folder, 'backup')
      const copyOf = (from: string, to: string) => cp(from, to, { recursive: true })
      await child?.kill()
      await copyOf(storeDir, backup)
      await start()
      return {
        restore: async () => {
          await child?.kill()
          await rm(storeDir, { recursive: true })
          await copyOf(backup, storeDir)
          await start()
        },
      }
    },
    stop: () => (removed ??= remove()),
  }
}

function addresses(host: string, ports: { client: number; monitor: number }) {
  return { url: `nats://${host}:${ports.client}`, monitorUrl: `http://${host}:${ports.monitor}` }
}

async function startInContainer(
  ports: { client: number; monitor: number },
  { config, log, signal }: StartNatsOptions,
): Promise<NatsServer | undefined> {
  const name = `nats-server (${IMAGE})`
  const content = config({ host: '0.0.0.0', ...ports }, CONTAINER_STORE)
  const create = () =>
    findContainer({
      image: IMAGE,
      ports: Object.values(ports).map((port) => ({ container: port, host: port })),
      command: ['-c', CONTAINER_CONFIG],
      files: [{ target: CONTAINER_CONFIG, content }],
      log,
      signal,
    })
  let container = await create()
  if (container === undefined) return undefined
  const { host } = container
  const ready = () => askNatsVersion({ host, port: ports.client }, { name, timeoutMs: START_TIMEOUT_MS, signal })
  try {
    const version = await ready()
    checkVersion(version, name)
    log(`nats-server ${version}: container of ${IMAGE}`)
    const recreate = async () => {
      await container?.remove()
      container = await create()
      if (container === undefined) throw new Error(`${name} cannot be started again`)
    }
    return describeContainer({ host, ports, version, ready, recreate, current: () => container as ServerContainer })
  } catch (error) {
    await container.remove()
    throw error
  }
}

function describeContainer(options: {
  host: string
  ports: { client: number; monitor: number }
  version: string
  ready: () => Promise<string>
  recreate: () => Promise<void>
  current: () => ServerContainer
}): NatsServer {
  let removed: Promise<void> | undefined
  return {
    ...addresses(options.host, options.ports),
    source: 'container',
    version: options.version,
    pid: undefined,
    kill: () => options.current().kill(),
    backUp: () => Promise.reject(new Error('the store of a container is not copied: allow the other sources alone')),
    start: async ({ wipeStore = false } = {}) => {
      await (wipeStore ? options.recreate() : options.current().restart())
      await options.ready()
    },
    stop: () => (removed ??= options.current().remove()),
  }
}
