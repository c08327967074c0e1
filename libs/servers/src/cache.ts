// Cache of fetched programs: one folder `<name>-<version>` for each in our cache folder. A finished folder is renamed
// into place, so that concurrent first starts cannot damage an entry. A cached program is not trusted: it counts only
// if it runs.

import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { compareVersions } from './versions.ts'

/** A program that is in the cache. */
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
        await rename(target, join(folder, 'spoilt'))
        await rename(folder, target)
      })
    }
    return { folder: target, version }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
