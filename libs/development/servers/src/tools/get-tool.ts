// Finds a program of the table: on the PATH in an accepted version, in our cache, or fetched once into the cache by Go
// or from Debian's package. A program counts as found only after it has run. If there is none, the caller gets the
// reason in one line and skips its tests visibly.

import { constants } from 'node:fs'
import { access, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type CacheEntry, fillCache, findInCache } from '../cache.ts'
import { runToEnd } from '../child-process.ts'
import type { UnpackOptions } from '../debian-archive.ts'
import { unpackDebianProgram } from '../debian-program.ts'
import { compareVersions, findVersion, isAtLeast } from '../versions.ts'
import { type ToolName, type ToolRow, toolTable } from './tool-table.ts'

/** A program that runs here, or the reason why there is none. */
export type Tool = { path: string; version: string; missing?: never } | { path?: never; missing: string }

export type GetToolOptions = {
  log?: (line: string) => void
  signal?: AbortSignal | undefined
  /** Permits fetching; default true. A build by Go from an empty cache takes minutes. */
  fetch?: boolean
}

/**
 * Finds a program. Fetches it if the machine has none.
 * @throws the abort reason if aborted
 */
export async function getTool(name: ToolName, options: GetToolOptions = {}): Promise<Tool> {
  const { log = () => {}, signal, fetch = true } = options
  const row: ToolRow = toolTable[name]
  const onPath = await findOnPath(row)
  if (onPath) return onPath
  const entry: CacheEntry = { name, findVersion: (folder) => findCachedVersion(row, folder) }
  const cached = await findInCache(entry)
  if (cached) return { path: join(cached.folder, row.program), version: cached.version }
  if (!fetch) return { missing: `${name} is not to be had here: it is neither on the PATH nor in the cache` }
  const fetchTool = row.debianPackage === undefined ? installWithGo : unpackFromDebian
  try {
    const { folder, version } = await fillCache(entry, (folder) => fetchTool(row, { folder, log, signal }))
    return { path: join(folder, row.program), version }
  } catch (error) {
    signal?.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return { missing: `${name} is not to be had here: install it (tried: ${why})` }
  }
}

/** Asks the program for its version; undefined if the program does not run. */
async function askVersion(row: ToolRow, path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK)
    return await runToEnd(row.program, path, row.versionArguments)
  } catch {
    return undefined
  }
}

async function findOnPath(row: ToolRow): Promise<Tool | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter((entry) => entry !== '')) {
    const path = join(folder, row.program)
    const said = await askVersion(row, path)
    if (said === undefined) continue
    const version = findVersion(said)
    if (version !== undefined && isTaken(row, version)) return { path, version }
  }
  return undefined
}

function isTaken({ from, below }: ToolRow, version: string): boolean {
  return isAtLeast(version, from) && (below === undefined || compareVersions(version, below) < 0)
}

/** The version that was fetched is noted beside the program. If the table pins a version, an entry counts only with that version. */
async function findCachedVersion(row: ToolRow, folder: string): Promise<string | undefined> {
  const noted = await readFile(join(folder, 'version'), 'utf8').catch(() => undefined)
  if (noted === undefined || (row.goVersion !== undefined && noted !== row.goVersion)) return undefined
  const said = await askVersion(row, join(folder, row.program))
  return said === undefined ? undefined : noted.replace(/^v/, '')
}

async function installWithGo(row: ToolRow, { folder, log, signal }: UnpackOptions): Promise<void> {
  await runToEnd('go version', 'go', ['version'], { signal })
  const module = `${row.goPackage}@${row.goVersion}`
  log(`${row.program}: building ${module} with Go (first time only, some minutes)`)
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  const flags = ['-ldflags', `-s -w ${row.linkerFlags ?? ''}`]
  // Low priority: programs that run at the same time are not slowed down by the build.
  await runToEnd('go install', 'nice', ['-n', '19', 'go', 'install', ...flags, module], { cwd: folder, env, signal })
  await writeFile(join(folder, 'version'), row.goVersion ?? '')
}

async function unpackFromDebian(row: ToolRow, options: UnpackOptions): Promise<void> {
  const { program, debianPackage: packageName = program } = row
  await unpackDebianProgram({ program, packageName }, options)
  const version = findVersion((await askVersion(row, join(options.folder, program))) ?? '')
  if (version === undefined || !isTaken(row, version))
    throw new Error(`Debian's ${program} is ${version ?? 'of no use'}`)
  await writeFile(join(options.folder, 'version'), version)
}
