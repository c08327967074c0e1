/** The published port with its cases, and the adapter beside this file: built, packed by npm, and installed by npm into empty folders without a registry. */

import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const providers = join(root, 'libs/provider')
/** The packages that are published for the authors of adapters. */
export const publishedNames = ['port', 'conformance']
const tsc = join(root, 'test/node_modules/typescript/bin/tsc')

export type Packed = {
  /** The folder of all files. The caller removes it. */
  readonly folder: string
  /** The project of the adapter's author: the sources, the port and what was compiled. */
  readonly project: string
  /** The tarballs of the port and of its dependency, and of the cases. */
  readonly tarballs: readonly string[]
}

/** Builds and packs the port and its cases, and makes the project of the adapter's author with it. */
export async function packPort(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'financial-agents-port-'))
  // npm packs no folder of `node_modules`.
  const zod = join(folder, 'zod')
  await cp(join(providers, 'port/node_modules/zod'), zod, { recursive: true, dereference: true })
  const tarballs = [await pack(zod, folder)]
  for (const name of publishedNames) {
    await run(process.execPath, ['../port/build.ts'], { cwd: join(providers, name) })
    tarballs.push(await pack(join(providers, name, 'dist'), folder))
  }
  const project = join(folder, 'project')
  await cp(import.meta.dirname, project, { recursive: true, filter: (path) => !path.endsWith('packed.ts') })
  await install(project, tarballs)
  return { folder, project, tarballs }
}

/** Packs a folder; returns the tarball's path. */
export async function pack(packed: string, into: string): Promise<string> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into]
  const { stdout } = await run('npm', args, { cwd: packed })
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }]
  return join(into, filename)
}

/** Installs tarballs into a folder. npm may not ask a registry, so a missing package is an error. */
export async function install(folder: string, tarballs: readonly string[]): Promise<void> {
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, ...tarballs], {
    cwd: folder,
  })
}

/** Checks and compiles the author's sources. @throws Error with the compiler's output */
export async function compile(project: string): Promise<void> {
  const types = join(root, 'node_modules/@types')
  const options = ['--typeRoots', types, '--pretty', 'false']
  await run(process.execPath, [tsc, '-p', join(project, 'tsconfig.build.json'), ...options]).catch((error: unknown) => {
    throw new Error((error as { stdout: string }).stdout)
  })
}

/** Runs the author's tests; returns their report (TAP). */
export async function conform(project: string): Promise<string> {
  const args = ['--test', '--test-reporter=tap', join(project, 'dist/conformance.js')]
  const { stdout } = await run(process.execPath, args, { maxBuffer: 10_000_000 }).catch(
    (failed: unknown) => failed as { stdout: string },
  )
  return stdout
}

/** The adapter as a package, installed into an empty folder as an operator does. */
export async function installAdapter({ folder, project, tarballs }: Packed): Promise<string> {
  const tarball = await pack(project, folder)
  const adapters = await mkdtemp(join(folder, 'adapters-'))
  await install(adapters, [tarball, ...tarballs])
  return adapters
}

/** The files of an installed package. */
export async function filesOf(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
}

export const remove = ({ folder }: Packed) => rm(folder, { recursive: true })
