// One program out of a package of Debian 13, without what the package depends on: for programs that need nothing but what every
// machine has. Its packages also run on Debian 12; the keys of 13 must be among the machine's keyrings.

import { readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openDebianArchive, type UnpackOptions } from './debian-archive.ts'

const SUITE = 'trixie'

/** A program, and the package that holds it where that is called otherwise. */
export type DebianProgram = { program: string; packageName?: string }

/**
 * Fetches the package and leaves the program in the folder.
 * @throws Error in one line where the machine has no apt or no keyring of that Debian, or the archive does not answer.
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
