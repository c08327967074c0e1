// nats-server out of Debian's package, without root and without touching the machine's own package lists: apt-get with a
// configuration, lists and a cache folder of its own, so that the archive's signatures are checked as for any package, and
// dpkg to unpack it. Debian 13's package also runs on 12; the keys of 13 must be among the machine's keyrings.

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runToEnd } from './child-process.ts'

const SUITE = 'trixie'
const ARCHIVE = 'http://deb.debian.org/debian'
const KEYRING_FOLDERS = ['/usr/share/keyrings', '/etc/apt/trusted.gpg.d']

export type UnpackOptions = { folder: string; log: (line: string) => void; signal: AbortSignal | undefined }

/**
 * Fetches the package and leaves the program `nats-server` in the folder.
 * @throws Error in one line where the machine has no apt or no keyring of that Debian, or the archive does not answer.
 */
export async function unpackNatsFromDebian({ folder, log, signal }: UnpackOptions): Promise<void> {
  const keyrings = await findKeyrings()
  if (keyrings.length === 0) throw new Error(`Debian's package cannot be checked here: no keyring of ${SUITE}`)
  await runToEnd('apt-get', 'apt-get', ['--version'], { signal })
  log(`nats-server: fetching the package of Debian ${SUITE} (first time only, some seconds)`)

  const apt = join(folder, 'apt')
  await writeConfiguration(apt, keyrings)
  const runApt = (...args: string[]) =>
    runToEnd(`apt-get ${args[0]}`, 'apt-get', ['-q', '-c', join(apt, 'apt.conf'), ...args], {
      cwd: apt,
      env: { ...process.env, LC_ALL: 'C' },
      signal,
    })
  await runApt('update')
  await runApt('download', 'nats-server')

  const file = (await readdir(apt)).find((name) => name.endsWith('.deb'))
  if (file === undefined) throw new Error('apt-get download left no package')
  await runToEnd('dpkg -x', 'dpkg', ['-x', join(apt, file), join(apt, 'unpacked')], { signal })
  const program = await findProgram(join(apt, 'unpacked'))
  await rename(program, join(folder, 'nats-server'))
  await rm(apt, { recursive: true })
}

/** The keyrings of this Debian alone; where there are none, the one of all Debians, which may hold its keys. */
async function findKeyrings(): Promise<string[]> {
  for (const prefix of [`debian-archive-${SUITE}-`, 'debian-archive-keyring.']) {
    for (const folder of KEYRING_FOLDERS) {
      const names = (await readdir(folder).catch(() => [])).filter(
        (name) => name.startsWith(prefix) && /\.(gpg|pgp|asc)$/.test(name) && !name.includes('security'),
      )
      if (names.length > 0) return names.map((name) => join(folder, name))
    }
  }
  return []
}

async function writeConfiguration(apt: string, keyrings: string[]): Promise<void> {
  await mkdir(join(apt, 'lists/partial'), { recursive: true })
  await mkdir(join(apt, 'cache/archives/partial'), { recursive: true })
  await writeFile(join(apt, 'status'), '')
  await writeFile(join(apt, 'sources.list'), `deb [signed-by=${keyrings.join(',')}] ${ARCHIVE} ${SUITE} main\n`)
  // Given with -c, this is read after the machine's own configuration: its proxies hold, its hooks and pins do not.
  const lines = [
    `Dir::Etc::sourcelist "${join(apt, 'sources.list')}";`,
    'Dir::Etc::sourceparts "/dev/null";',
    'Dir::Etc::preferences "/dev/null";',
    'Dir::Etc::preferencesparts "/dev/null";',
    `Dir::State "${apt}";`,
    `Dir::State::lists "${join(apt, 'lists')}";`,
    `Dir::State::status "${join(apt, 'status')}";`,
    `Dir::Cache "${join(apt, 'cache')}";`,
    '#clear APT::Update::Pre-Invoke;',
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    'APT::Update::Error-Mode "any";',
    'APT::Sandbox::User "root";',
    'Acquire::Languages "none";',
    'Acquire::Retries "2";',
    'Acquire::http::Timeout "20";',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";',
  ]
  await writeFile(join(apt, 'apt.conf'), `${lines.join('\n')}\n`)
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
