/** The Python client as it is published: its wheel, installed into an empty environment. Needs Python 3.11 and PyPI. */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf, keepFolder } from '@financial-agents/servers/cache'
import { listSources } from '@financial-agents/testkit/sources'
import { run } from '../../interop/run.ts'

export const packageFolder = join(import.meta.dirname, '../../../libs/clients/python')

export type Installed =
  | { missing: string }
  | {
      missing?: undefined
      /** The interpreter of an environment that has only the wheel and its dependencies. */
      python: string
      /** The wheels that it needs, for further installations without PyPI. */
      packages: string
      /** The paths of the wheel's files. */
      files: readonly string[]
      /** Runs a module with the tools: ruff. Its interpreter has the dependencies too. */
      tool: (...args: string[]) => Promise<string>
    }

const root = join(import.meta.dirname, '../../..')
const wanted = `import ensurepip, sys, venv
if sys.version_info < (3, 11): sys.exit(1)
print(sys.version)`

/** Builds the wheel and installs it, once for equal sources. Only the first steps need PyPI. If PyPI cannot be reached, `missing` says so. */
export async function installClient(): Promise<Installed> {
  const version = await run({ command: 'python3', args: ['-c', wanted], cwd: '/' }).catch(() => undefined)
  if (version === undefined) return { missing: 'Python 3.11 or newer with venv is not installed' }
  const key = await hashOf(root, await listSources(['libs/clients/python']), [version])
  try {
    return await placesIn(await keepFolder({ name: 'python-client', key }, install))
  } catch (error) {
    if (error instanceof PackagesMissing) return { missing: error.message }
    throw error
  }
}

class PackagesMissing extends Error {}

async function install(folder: string): Promise<void> {
  const options = ['-m', 'pip', '--quiet', '--disable-pip-version-check', '--timeout', '15']
  const pip = (...args: string[]) =>
    run({ command: join(folder, 'tools/bin/python'), args: [...options, ...args], cwd: packageFolder })
  const constraints = ['--constraint', join(packageFolder, 'constraints.txt')]
  await run({ command: 'python3', args: ['-m', 'venv', join(folder, 'tools')], cwd: folder })
  // Downloaded once, so that PyPI cannot fail later on.
  const packages = ['hatchling', 'httpx', 'joserfc', 'ruff']
  const store = join(folder, 'packages')
  await pip('--retries', '2', 'download', '--only-binary', ':all:', '--dest', store, ...constraints, ...packages).catch(
    (error: unknown) => {
      const reason = String(error).slice(-200)
      throw new PackagesMissing(`PyPI is not reachable, or has no wheels for this machine: ${reason}`)
    },
  )
  const offline = ['--no-index', '--find-links', store]
  await pip('install', ...offline, 'hatchling', 'ruff')
  const [sources, wheels] = [join(folder, 'sources'), join(folder, 'wheels')]
  const building = ['-m', 'hatchling', 'build', '--target', 'sdist', '--directory', sources]
  await run({ command: join(folder, 'tools/bin/python'), args: building, cwd: packageFolder })
  // The wheel is built from the source distribution alone, as a release builds it.
  const [source = ''] = await readdir(sources)
  await pip('wheel', '--no-build-isolation', '--no-deps', '--wheel-dir', wheels, join(sources, source))
  const [wheel = ''] = await readdir(wheels)
  await run({ command: 'python3', args: ['-m', 'venv', '--without-pip', join(folder, 'client')], cwd: folder })
  await pip('--python', join(folder, 'client/bin/python'), 'install', ...offline, join(wheels, wheel))
}

async function placesIn(folder: string): Promise<Installed> {
  const tool = (...args: string[]) =>
    run({ command: join(folder, 'tools/bin/python'), args: ['-m', ...args], cwd: packageFolder })
  const wheels = join(folder, 'wheels')
  const [wheel = ''] = await readdir(wheels)
  const listed = await tool('zipfile', '--list', join(wheels, wheel))
  const files = listed.split('\n').flatMap((line) => /^(\S+\/\S+)\s/.exec(line)?.[1] ?? [])
  return { python: join(folder, 'client/bin/python'), packages: join(folder, 'packages'), files, tool }
}

/** The program of the package's README, as it stands there. */
export async function readmeProgram(): Promise<string> {
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  const [, program] = /```python\n(import os\n.*?)```/s.exec(readme) ?? []
  if (!program) throw new Error('the README has no program')
  return program
}
