// nats-server out of Debian's package. Debian 13's package also runs on 12; the keys of 13 must be among the machine's
// keyrings.

import { readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { openDebianArchive, type UnpackOptions } from './debian-archive.ts'

const SUITE = 'trixie'

/**
 * Fetches the package and leaves the program `nats-server` in the folder.
 * @throws Error in one line where the machine has no apt or no keyring of that Debian, or the archive does not answer.
 */
export async function unpackNatsFromDebian({ folder, log, signal }: UnpackOptions): Promise<void> {
  const apt = join(folder, 'apt')
  log(`nats-server: fetching the package of Debian ${SUITE} (first time only, some seconds)`)
  const archive = await openDebianArchive({ suite: SUITE, folder: apt, signal })
  await archive.download('nats-server')
  await archive.unpack(join(apt, 'unpacked'))
  const program = await findProgram(join(apt, 'unpacked'))
  await rename(program, join(folder, 'nats-server'))
  await rm(apt, { recursive: true })
}

async function findProgram(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const program = entries.find(
    (entry) => entry.isFile() && basename(entry.name) === 'nats-server' && isProgramFolder(entry.parentPath),
  )
  if (program === undefined) throw new Error("Debian's package holds no nats-server")
  return join(program.parentPath, program.name)
}

const isProgramFolder = (folder: string) => /\/s?bin$/.test(folder)
