/** The published packages: packed by npm, unpacked into an empty folder, with their dependencies beside them. */

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { hashOf, keepFolder } from '@financial-agents/servers/cache'
import { listSources } from '@financial-agents/testkit/sources'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
export const packageFolder = join(root, 'libs/clients/typescript')

/** Packs the client; returns the tarball's path. */
export const packClient = () => pack(packageFolder)

/**
 * Packs the package of this folder; returns the tarball's path. Equal sources are packed once: a build empties the
 * package's `dist`, so two at the same time would fail.
 */
export async function pack(packed: string): Promise<string> {
  const key = await hashOf(root, [...(await listSources(['libs'])), 'LICENSE', 'pnpm-lock.yaml'], [process.version])
  const kept = await keepFolder({ name: `packed-${basename(packed)}`, key }, async (into) => {
    await run('npm', ['pack', '--pack-destination', into], { cwd: packed })
  })
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-packed-'))
  await cp(kept, folder, { recursive: true })
  const [tarball = ''] = await readdir(folder)
  return join(folder, tarball)
}

/** Makes an empty project that has the packed client. */
export async function projectWith(tarball: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-project-'))
  const modules = join(folder, 'node_modules')
  await unpack(tarball, join(modules, '@financial-agents/client'))
  const dependency = fileURLToPath(import.meta.resolve('oauth4webapi')).split('/build/')[0] as string
  await symlink(dependency, join(modules, 'oauth4webapi'))
  return folder
}

/** Unpacks a tarball into this folder, which is created. */
export async function unpack(tarball: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', into, '--strip-components=1'])
}

/** The program of the package's README, as it stands there. */
export async function readmeProgram(): Promise<string> {
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  const [, program] = /```js\n(import \{ FinancialAgents \}.*?)```/s.exec(readme) ?? []
  if (!program) throw new Error('the README has no program')
  return program
}

/** The folder of a tarball, to be removed. */
export const folderOf = (tarball: string) => dirname(tarball)
