// Finds a nats-server program on this machine: on the PATH, in our cache, or fetched once into the cache from Debian's
// package or by Go. Version 2.10.27 is the minimum: older versions do not carry "no responders" across accounts.

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type CachedProgram, type CacheEntry, fillCache, findInCache } from './cache.ts'
import { runToEnd } from './child-process.ts'
import type { UnpackOptions } from './debian-archive.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { findVersion, isAtLeast } from './versions.ts'

export const MINIMUM_NATS_VERSION = '2.10.27'
const GO_MODULE = 'github.com/nats-io/nats-server/v2@v2.15.2'
const cached: CacheEntry = { name: 'nats-server', findVersion: (folder) => findUsable(join(folder, 'nats-server')) }

/** Sources of the program; `debian` and `go` fill the cache. */
export type NatsBinarySource = 'path' | 'cache' | 'debian' | 'go'

export type NatsBinary = { source: 'path' | 'cache'; path: string; version: string }

export type FindNatsOptions = {
  log: (line: string) => void
  signal?: AbortSignal | undefined
  /** The permitted sources, in the usual order; all of them if absent. */
  sources?: readonly NatsBinarySource[] | undefined
}

/**
 * Finds a nats-server program. Fetches it into the cache if the machine has none.
 * @throws Error in one line that says what was tried and what to install; the abort reason if aborted.
 */
export async function getNatsBinary(options: FindNatsOptions): Promise<NatsBinary> {
  const { log, signal } = options
  const allowed = (source: NatsBinarySource) => options.sources?.includes(source) ?? true
  const onPath = allowed('path') ? await findOnPath() : undefined
  if (onPath) return onPath
  const inCache = allowed('cache') ? await findInCache(cached) : undefined
  if (inCache) return describeCached(inCache)

  const failures: string[] = []
  const unpack = (options: UnpackOptions) => unpackDebianProgram({ program: 'nats-server' }, options)
  const fetchers = { debian: unpack, go: installWithGo }
  for (const source of ['debian', 'go'] as const) {
    if (!allowed(source)) continue
    try {
      return describeCached(await fillCache(cached, (folder) => fetchers[source]({ folder, log, signal })))
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

function describeCached({ folder, version }: CachedProgram): NatsBinary {
  return { source: 'cache', path: join(folder, 'nats-server'), version }
}

/** The versions of the files that this process has run: every test file starts servers of the same program. */
const versions = new Map<string, string>()

/** Returns the program's version if it runs here and is new enough. */
async function findUsable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK)
    const { dev, ino, mtimeMs } = await stat(path)
    const file = `${dev} ${ino} ${mtimeMs}`
    const version = versions.get(file) ?? findVersion(await runToEnd('nats-server --version', path, ['--version']))
    if (version === undefined || !isAtLeast(version, MINIMUM_NATS_VERSION)) return undefined
    versions.set(file, version)
    return version
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

async function installWithGo({ folder, log, signal }: UnpackOptions): Promise<void> {
  await runToEnd('go version', 'go', ['version'], { signal })
  log(`nats-server: building ${GO_MODULE} with Go (first time only, a minute or two)`)
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  await runToEnd('go install', 'go', ['install', GO_MODULE], { cwd: folder, env, signal })
}
