// Debian packages without root and without a change to the machine's own package lists. apt-get runs with its own
// configuration, lists and cache folder, so it checks the archive's signatures as for any package. dpkg only unpacks:
// no package is installed, and no package script runs.

import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runToEnd } from './child-process.ts'

const ARCHIVE = 'http://deb.debian.org/debian'
const KEYRING_FOLDERS = ['/usr/share/keyrings', '/etc/apt/trusted.gpg.d']

/** `folder` receives the files. */
export type UnpackOptions = { folder: string; log: (line: string) => void; signal: AbortSignal | undefined }

export type DebianArchive = {
  /** The folder in which `download` and `downloadWithDependencies` store packages. */
  packagesFolder: string
  /** Downloads one package without its dependencies. */
  download(name: string): Promise<void>
  /** Downloads the packages and those of their dependencies that this machine has not installed. */
  downloadWithDependencies(...names: string[]): Promise<void>
  /** Unpacks every downloaded package. */
  unpack(folder: string): Promise<void>
}

/**
 * Reads the package lists of a Debian release into a folder.
 * @throws Error in one line if the machine has no apt or no keyring of that release, or cannot reach the archive.
 */
export async function openDebianArchive(options: {
  suite: string
  /** Includes the security updates of the suite. */
  withSecurity?: boolean
  folder: string
  signal: AbortSignal | undefined
}): Promise<DebianArchive> {
  const { suite, folder, signal } = options
  const keyrings = await findKeyrings(suite)
  if (keyrings.length === 0) throw new Error(`Debian's packages cannot be checked here: no keyring of ${suite}`)
  await runToEnd('apt-get', 'apt-get', ['--version'], { signal })
  const packagesFolder = join(folder, 'cache/archives')
  await mkdir(join(folder, 'lists/partial'), { recursive: true })
  await mkdir(join(packagesFolder, 'partial'), { recursive: true })
  const signedBy = `[signed-by=${keyrings.join(',')}]`
  const sources = [`deb ${signedBy} ${ARCHIVE} ${suite} main`]
  if (options.withSecurity) sources.push(`deb ${signedBy} ${ARCHIVE}-security ${suite}-security main`)
  await writeFile(join(folder, 'sources.list'), `${sources.join('\n')}\n`)
  await writeFile(join(folder, 'apt.conf'), `${configuration(folder).join('\n')}\n`)

  const runApt = (...args: string[]) =>
    runToEnd(`apt-get ${args[0]}`, 'apt-get', ['-q', '-c', join(folder, 'apt.conf'), ...args], {
      cwd: packagesFolder,
      env: { ...process.env, LC_ALL: 'C' },
      signal,
    })
  await runApt('update')
  return {
    packagesFolder,
    download: async (name) => {
      await runApt('download', name)
    },
    downloadWithDependencies: async (...names) => {
      await runApt('install', '--yes', '--download-only', '--no-install-recommends', ...names)
    },
    unpack: async (target) => {
      for (const name of await readdir(packagesFolder))
        if (name.endsWith('.deb'))
          await runToEnd('dpkg -x', 'dpkg', ['-x', join(packagesFolder, name), target], { signal })
    },
  }
}

/** Finds the keyrings of this release. If there are none, returns the keyring of all releases, which may hold its keys. */
async function findKeyrings(suite: string): Promise<string[]> {
  for (const prefix of [`debian-archive-${suite}-`, 'debian-archive-keyring.']) {
    for (const folder of KEYRING_FOLDERS) {
      const names = (await readdir(folder).catch(() => [])).filter(
        (name) => name.startsWith(prefix) && /\.(gpg|pgp|asc)$/.test(name),
      )
      if (names.length > 0) return names.map((name) => join(folder, name))
    }
  }
  return []
}

/**
 * apt reads the file given with -c after the machine's own configuration. The machine's proxies apply; its hooks and
 * pins do not.
 */
function configuration(folder: string): string[] {
  return [
    `Dir::Etc::sourcelist "${join(folder, 'sources.list')}";`,
    'Dir::Etc::sourceparts "/dev/null";',
    'Dir::Etc::preferences "/dev/null";',
    'Dir::Etc::preferencesparts "/dev/null";',
    `Dir::State "${folder}";`,
    `Dir::State::lists "${join(folder, 'lists')}";`,
    // Installed packages need not be fetched. apt only reads this file here.
    'Dir::State::status "/var/lib/dpkg/status";',
    `Dir::Cache "${join(folder, 'cache')}";`,
    'Debug::NoLocking "true";',
    '#clear APT::Update::Pre-Invoke;',
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    'APT::Update::Error-Mode "any";',
    'APT::Sandbox::User "root";',
    'APT::Keep-Downloaded-Packages "true";',
    'Acquire::Languages "none";',
    'Acquire::Retries "2";',
    'Acquire::http::Timeout "20";',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";',
    'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled "false";',
  ]
}
