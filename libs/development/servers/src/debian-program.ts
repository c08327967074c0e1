// Takes one program from a package of Debian 13, without the package's dependencies. This suits programs that need only
// the libraries that every machine has. The package also runs on Debian 12. The machine's keyrings must hold the keys
// of Debian 13.

import { readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openDebianArchive, type UnpackOptions } from './debian-archive.ts'

const SUITE = 'trixie'

/** A program, and the name of its package if that differs. */
export type DebianProgram = { program: string; packageName?: string }

/**
 * Fetches the package and stores the program in the folder.
 * @throws Error in one line if the machine has no apt or no keyring of that release, or cannot reach the archive.
 */
export async function unpackDebianProgram(
  { program, packageName = program }: DebianProgram,
  { folder, log, signal }: UnpackOptions,
): Promise<void> {
  const apt = join(folder, 'apt')
  log(`${program}: fetching the package of Debian ${SUITE} (first time only, some seconds)`)
  const archive = await openDebianArchive({ suite: SUITE, folder: apt, signal })
  await archive.download(packageName)
  await archive.unpack(join(apt, 'unpacked'))
  await rename(await findProgram(join(apt, 'unpacked'), program), join(folder, program))
  await rm(apt, { recursive: true })
}

async function findProgram(folder: string, name: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const program = entries.find(
    (entry) => entry.isFile() && basename(entry.name) === name && isProgramFolder(entry.parentPath),
  )
  if (program === undefined) throw new Error(`Debian's package holds no ${name}`)
  return join(program.parentPath, program.name)
}

const isProgramFolder = (folder: string) => /\/s?bin$/.test(folder)
