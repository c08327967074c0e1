/** The Python client as it is published: its wheel, installed into an empty environment. Needs Python 3.11 and PyPI. */

import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../interop/run.ts'

export const packageFolder = join(import.meta.dirname, '../../../libs/client-python')

export type Installed =
  | { missing: string }
  | {
      missing?: undefined
      /** The folder of the installation. The caller removes it. */
      folder: string
      /** The interpreter of an environment that has only the wheel and its dependencies. */
      python: string
      /** The wheels that it needs, for further installations without PyPI. */
      packages: string
      /** The paths of the wheel's files. */
      files: readonly string[]
      /** Runs a module with the tools: ruff. Its interpreter has the dependencies too. */
      tool: (...args: string[]) => Promise<string>
    }

const wanted = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'

/** Builds the wheel and installs it. Only the first steps need PyPI. If PyPI cannot be reached, `missing` says so. */
export async function installClient(): Promise<Installed> {
  const found = await run({ command: 'python3', args: ['-c', wanted], cwd: '/' }).catch(() => undefined)
  if (found === undefined) return { missing: 'Python 3.11 or newer with venv is not installed' }
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-python-'))
  const python = join(folder, 'client/bin/python')
  const toolPython = join(folder, 'tools/bin/python')
  const tool = (...args: string[]) => run({ command: toolPython, args: ['-m', ...args], cwd: packageFolder })
  const pip = (...args: string[]) => tool('pip', '--quiet', '--disable-pip-version-check', '--timeout', '15', ...args)
  const constraints = ['--constraint', join(packageFolder, 'constraints.txt')]
  await run({ command: 'python3', args: ['-m', 'venv', join(folder, 'tools')], cwd: folder })
  // Downloaded once, so that PyPI cannot fail later on.
  const packages = ['hatchling', 'httpx', 'joserfc', 'ruff']
  const store = join(folder, 'packages')
  try {
    await pip('--retries', '2', 'download', '--only-binary', ':all:', '--dest', store, ...constraints, ...packages)
  } catch (error) {
    return { missing: `PyPI is not reachable, or has no wheels for this machine: ${String(error).slice(-200)}` }
  }
  const offline = ['--no-index', '--find-links', store]
  await pip('install', ...offline, 'hatchling', 'ruff')
  const wheels = join(folder, 'wheels')
  await pip('wheel', '--no-build-isolation', '--no-deps', '--wheel-dir', wheels, packageFolder)
  const [wheel = ''] = await readdir(wheels)
  await run({ command: 'python3', args: ['-m', 'venv', '--without-pip', join(folder, 'client')], cwd: folder })
  await pip('--python', python, 'install', ...offline, join(wheels, wheel))
  const listed = await tool('zipfile', '--list', join(wheels, wheel))
  const files = listed.split('\n').flatMap((line) => /^(\S+\/\S+)\s/.exec(line)?.[1] ?? [])
  return { folder, python, packages: store, files, tool }
}

/** The program of the package's README, as it stands there. */
export async function readmeProgram(): Promise<string> {
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  const [, program] = /```python\n(import os\n.*?)```/s.exec(readme) ?? []
  if (!program) throw new Error('the README has no program')
  return program
}
