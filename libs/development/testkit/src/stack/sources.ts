/** The files that something is made of. Their hash is the key under which it is kept in the cache. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './programs.ts'

/** Folders that builds and installations write. They may change while sources are listed, so they are not opened. */
const made = new Set(['node_modules', 'build', 'dist', '.astro', '.venv', '__pycache__'])
/** Files of tests, and the copies of the licence that builds of packages write. */
const outside = /\.test\.ts$|\.test-helper\.ts$|^LICENSE$/

/** Lists the source files in these folders of the repository, relative to its root. */
export async function listSources(folders: readonly string[]): Promise<string[]> {
  return (await Promise.all(folders.map(filesIn))).flat()
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !outside.test(entry.name))
  const folders = entries.filter((entry) => entry.isDirectory() && !made.has(entry.name))
  const within = (names: typeof entries) => names.map(({ name }) => join(folder, name))
  return [...within(files), ...(await listSources(within(folders)))]
}
