/** The files that something is made of. Their hash is the key under which it is kept in the cache. */

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '@financial-agents/deploy/images/bundle-services'

/** Folders that builds and installations write. */
const made = /\/(?:node_modules|build|dist|\.astro|\.venv|__pycache__)\//
const ofTests = /\.test\.ts$|\.test-helper\.ts$/

/** Lists the files in these folders of the repository, relative to its root, without those of tests. */
export async function listSources(folders: readonly string[]): Promise<string[]> {
  const lists = folders.map(async (folder) => {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  })
  return (await Promise.all(lists)).flat().filter((file) => !made.test(file) && !ofTests.test(file))
}
