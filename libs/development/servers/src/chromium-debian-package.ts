// Takes Chromium's headless shell from Debian's package, with the libraries that this machine lacks. The
// package is for the Debian release that runs here, so that its libraries match those of the machine.

import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDebianArchive, type UnpackOptions } from './debian-archive.ts'

/** A program and the environment variables that it needs. */
export type ChromiumProgram = { path: string; env: Record<string, string> }

/**
 * Fetches the packages and unpacks them into the folder.
 * @throws Error in one line if this machine does not run Debian, has no keyring of its release, or cannot reach the
 * archive.
 */
export async function unpackChromiumFromDebian({ folder, log, signal }: UnpackOptions): Promise<void> {
  const suite = await findDebianSuite()
  if (suite === undefined) throw new Error("Debian's package runs on Debian alone")
  log(`Chromium: fetching the package of Debian ${suite} (first time only, 65 to 165 MB)`)
  const apt = join(folder, 'apt')
  const archive = await openDebianArchive({ suite, withSecurity: true, folder: apt, signal })
  await archive.downloadWithDependencies('chromium-headless-shell')
  // Chromium looks for this package's data beside its own program.
  await archive.download('chromium-common')
  await archive.unpack(folder)
  await rm(apt, { recursive: true })
}

/** Returns the program in a folder that `unpackChromiumFromDebian` has filled. */
export async function findUnpackedChromium(folder: string): Promise<ChromiumProgram> {
  const libraries = [join(folder, 'usr/lib'), join(folder, 'lib')]
  const found: string[] = []
  for (const parent of libraries) {
    const triplets = (await readdir(parent).catch(() => [])).filter((name) => name.includes('-linux-gnu'))
    // PulseAudio's client looks for a second library in the folder where an installed package would have it.
    for (const triplet of triplets) found.push(join(parent, triplet), join(parent, triplet, 'pulseaudio'))
  }
  return {
    path: join(folder, 'usr/lib/chromium/chromium-headless-shell'),
    env: { LD_LIBRARY_PATH: found.join(':') },
  }
}

async function findDebianSuite(): Promise<string | undefined> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return /^ID=debian$/m.test(text) ? /^VERSION_CODENAME=(\w+)$/m.exec(text)?.[1] : undefined
}
