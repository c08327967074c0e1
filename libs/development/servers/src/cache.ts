// Cache of fetched programs: one folder `<name>-<version>` for each in our cache folder. A finished folder is renamed
// into place, so that concurrent first starts cannot damage an entry. A cached program is not trusted: it counts only
// if it runs. `keepFolder` keeps what was derived from files in the same way.

import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isProcessRunning } from './child-process.ts'
import { compareVersions } from './versions.ts'

export type CachedProgram = { folder: string; version: string }

/** Location of a program in the cache, whether or not the program is there yet. */
export type CacheEntry = {
  name: string
  /** Returns the version of the program in a folder; undefined if the program does not run or is too old. */
  findVersion: (folder: string) => Promise<string | undefined>
}

/** Returns our folder in the user's cache. It is kept between runs. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'financial-agents-api')
}

/** Finds the newest cached version that runs. */
export async function findInCache({ name, findVersion }: CacheEntry): Promise<CachedProgram | undefined> {
  const versions = (await readdir(cacheFolder()).catch(() => []))
    .filter((entry) => entry.startsWith(`${name}-`))
    .map((entry) => entry.slice(name.length + 1))
  for (const cached of versions.toSorted((left, right) => compareVersions(right, left))) {
    const folder = join(cacheFolder(), `${name}-${cached}`)
    const version = await findVersion(folder)
    if (version !== undefined) return { folder, version }
  }
  return undefined
}

/** Lets `fetch` put a program into a new folder, then renames that folder to its final name in one step. */
export async function fillCache(
  { name, findVersion }: CacheEntry,
  fetch: (folder: string) => Promise<void>,
): Promise<CachedProgram> {
  await mkdir(cacheFolder(), { recursive: true })
  const folder = await mkdtemp(join(cacheFolder(), 'unfinished-'))
  try {
    await fetch(folder)
    const version = await findVersion(folder)
    if (version === undefined) throw new Error(`what was fetched is no ${name} that runs here`)
    const target = join(cacheFolder(), `${name}-${version}`)
    // Another process may have filled the entry first. Its program is used if it runs; a damaged one is replaced.
    if ((await findVersion(target)) === undefined) {
      await rename(folder, target).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
        if ((await findVersion(target)) !== undefined) return
        await rename(target, join(folder, 'malformed'))
        await rename(folder, target)
      })
    }
    return { folder: target, version }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The limits of the folders that are kept for each name. Every change of the sources makes a folder of about 90 MB. */
const unusedDays = 2
const keptFolders = 12

/** Returns a hash of the names and the content of files, and of other facts. */
export async function hashOf(root: string, files: readonly string[], facts: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(facts))
  for (const file of files.toSorted()) {
    const content = await readFile(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}

/**
 * Returns the folder `<name>-<key>` of the cache, which only we can read. If it is absent, `make` fills a new folder, which is
 * then renamed. Processes that need the same folder at the same time wait for the first one of them: builds take minutes of CPU
 * time, and two of them may share files of the work tree. After a build, the folders of this name that were not used for two
 * days are removed. Of the others, the twelve that were used last are kept.
 */
export async function keepFolder(
  { name, key }: { name: string; key: string },
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const target = join(cacheFolder(), `${name}-${key}`)
  await mkdir(cacheFolder(), { recursive: true })
  const unlock = await lockUnless(() => isFolder(target), join(cacheFolder(), `making-${name}-${key}`))
  if (unlock === undefined) {
    await utimes(target, new Date(), new Date())
    return target
  }
  const folder = await mkdtemp(join(cacheFolder(), 'unfinished-'))
  try {
    await make(folder)
    // After a kill, two processes may take over the lock. What both make is equal.
    await rename(folder, target).catch(async (error: unknown) => {
      if (!(await isFolder(target))) throw error
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
    await unlock()
  }
  await removeUnused(name)
  return target
}

const lookPauseMs = 100

/**
 * Takes a lock, and returns the function that releases it. Returns undefined as soon as `isDone` is true. The lock of a
 * process that no longer runs is taken over.
 */
async function lockUnless(isDone: () => Promise<boolean>, lock: string): Promise<(() => Promise<void>) | undefined> {
  if (await isDone()) return undefined
  const own = `${lock}-${process.pid}-${randomUUID()}`
  await writeFile(own, String(process.pid))
  try {
    for (;;) {
      if (await isDone()) return undefined
      // A link appears together with its content, and only if there is none.
      const taken = await link(own, lock).then(
        () => true,
        () => false,
      )
      if (taken && !(await isDone())) return () => rm(lock, { force: true })
      if (taken || !isProcessRunning(Number(await readFile(lock, 'utf8').catch(() => process.pid))))
        await rm(lock, { force: true })
      else await delay(lookPauseMs)
    }
  } finally {
    await rm(own, { force: true })
  }
}

async function removeUnused(name: string): Promise<void> {
  const since = Date.now() - unusedDays * 86_400_000
  const entries = (await readdir(cacheFolder())).filter((entry) => entry.startsWith(`${name}-`))
  const used = await Promise.all(
    entries.map(async (entry) => ({ entry, usedAtMs: (await stat(join(cacheFolder(), entry))).mtimeMs })),
  )
  const newestFirst = used.toSorted((one, other) => other.usedAtMs - one.usedAtMs)
  for (const { entry } of newestFirst.filter(({ usedAtMs }, index) => usedAtMs <= since || index >= keptFolders)) {
    // The folder is renamed before it is removed, so that no start finds only a part of it.
    const removed = join(cacheFolder(), `unfinished-${entry}-${process.pid}`)
    await rename(join(cacheFolder(), entry), removed)
    await rm(removed, { recursive: true, force: true })
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
