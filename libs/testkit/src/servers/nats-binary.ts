// Where a nats-server program is on this machine: on the PATH, in our cache, else fetched into the cache once, from Debian's
// package or by Go. Only 2.10.27 and newer is taken: older ones do not carry "no responders" across accounts. The cache is
// filled by renaming a finished folder, so that concurrent first starts cannot spoil it.

import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { runToEnd } from './child-process.ts'
import { unpackNatsFromDebian } from './nats-debian-package.ts'
import { compareVersions, findVersion, isAtLeast } from './versions.ts'

/** The oldest nats-server that is taken. */
export const MINIMUM_NATS_VERSION = '2.10.27'
const GO_MODULE = 'github.com/nats-io/nats-server/v2@v2.15.2'
const CACHED_FOLDER = 'nats-server-'

/** Ways to a program; `debian` and `go` fill the cache. */
export type NatsBinarySource = 'path' | 'cache' | 'debian' | 'go'

export type NatsBinary = { source: 'path' | 'cache'; path: string; version: string }

export type FindNatsOptions = {
  log: (line: string) => void
  signal?: AbortSignal | undefined
  /** The ways that may be tried, in the usual order; all of them when absent. */
  sources?: readonly NatsBinarySource[] | undefined
}

/**
 * Finds a nats-server, fetching it into the cache where the machine has none.
 * @throws Error in one line that says what was tried and what to install; the abort reason when aborted.
 */
export async function getNatsBinary(options: FindNatsOptions): Promise<NatsBinary> {
  const { log, signal } = options
  const allowed = (source: NatsBinarySource) => options.sources?.includes(source) ?? true
  const found = (allowed('path') && (await findOnPath())) || (allowed('cache') && (await findInCache()))
  if (found) return found

  const failures: string[] = []
  const fetchers = { debian: unpackNatsFromDebian, go: installWithGo }
  for (const source of ['debian', 'go'] as const) {
    if (!allowed(source)) continue
    try {
      return await fillCache((folder) => fetchers[source]({ folder, log, signal }))
    } catch (error) {
      signal?.throwIfAborted()
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(
    `no nats-server ${MINIMUM_NATS_VERSION} or newer was found: install it (https://nats.io/download), install Go, start Docker, or set NATS_URL` +
      (failures.length === 0 ? '' : ` (tried: ${failures.join('; ')})`),
  )
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'financial-agents-api')
}

/** The program's version, where it runs here and is new enough. */
async function findUsable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK)
    const version = findVersion(await runToEnd('nats-server --version', path, ['--version']))
    return version !== undefined && isAtLeast(version, MINIMUM_NATS_VERSION) ? version : undefined
  } catch {
    return undefined
  }
}

async function findOnPath(): Promise<NatsBinary | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== '')) {
    const path = join(folder, 'nats-server')
    const version = await findUsable(path)
    if (version !== undefined) return { source: 'path', path, version }
  }
  return undefined
}

async function findInCache(): Promise<NatsBinary | undefined> {
  const versions = (await readdir(cacheFolder()).catch(() => []))
    .filter((name) => name.startsWith(CACHED_FOLDER))
    .map((name) => name.slice(CACHED_FOLDER.length))
  for (const cached of versions.toSorted((left, right) => compareVersions(right, left))) {
    const path = join(cacheFolder(), CACHED_FOLDER + cached, 'nats-server')
    const version = await findUsable(path)
    if (version !== undefined) return { source: 'cache', path, version }
  }
  return undefined
}

/** Lets `fetch` put a program `nats-server` into a new folder, and gives that folder its final name in one step. */
async function fillCache(fetch: (folder: string) => Promise<void>): Promise<NatsBinary> {
  await mkdir(cacheFolder(), { recursive: true })
  const folder = await mkdtemp(join(cacheFolder(), 'unfinished-'))
  try {
    await fetch(folder)
    const version = await findUsable(join(folder, 'nats-server'))
    if (version === undefined) throw new Error(`what was fetched is not a nats-server ${MINIMUM_NATS_VERSION} or newer`)
    const target = join(cacheFolder(), CACHED_FOLDER + version)
    // Where somebody else was first, theirs serves as well, if it runs; a spoilt one is replaced.
    if ((await findUsable(join(target, 'nats-server'))) === undefined) {
      await rename(folder, target).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
        if ((await findUsable(join(target, 'nats-server'))) !== undefined) return
        await rename(target, join(folder, 'spoilt'))
        await rename(folder, target)
      })
    }
    return { source: 'cache', path: join(target, 'nats-server'), version }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type FetchOptions = { folder: string; log: (line: string) => void; signal: AbortSignal | undefined }

async function installWithGo({ folder, log, signal }: FetchOptions): Promise<void> {
  await runToEnd('go version', 'go', ['version'], { signal })
  log(`nats-server: building ${GO_MODULE} with Go (first time only, a minute or two)`)
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  await runToEnd('go install', 'go', ['install', GO_MODULE], { cwd: folder, env, signal })
}
