/**
 * Bundles the services of a stack as one module, which starts in a fraction of the time of its sources. It exports
 * `system`, for a program that runs them in its own process, and `run`, the program of a process for them alone.
 */

import { copyFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { assets } from '@financial-agents/deploy/images/assets'
import { findServices } from '@financial-agents/deploy/images/bundle-services'
import { servicesOptions } from '@financial-agents/deploy/images/esbuild-options'
import { build } from 'esbuild'
import { root, servicesFolder, systemModule, systemProgram } from './programs.ts'

/** Writes the program and the files that its services read beside it. */
export async function bundleSystem(folder: string): Promise<void> {
  await buildSystem({ folder, file: systemModule })
  await writeFile(join(folder, systemProgram), `require('./${systemModule}').run()\n`)
}

type Build = {
  folder: string
  file: string
  version?: string
  external?: string[]
  /** Source that is bundled too, from this folder; `load` imports the definition of a service there. */
  more?: string
}

/** Writes one module with all services, and the files that its services read beside it. */
export async function buildSystem({ folder, file, version = '0.0.0-test', external = [], more = exported }: Build) {
  const services = await findServices()
  const { entryPoints: _, outExtension: __, ...options } = servicesOptions(root, { services, version })
  const loads = services.map((name) => `'${name}': () => import('${join(servicesFolder, name, 'src/service.ts')}')`)
  const contents = `const services = { ${loads.join(', ')} }
    const load = (name) => services[name]()
    ${more}`
  const stdin = { contents, resolveDir: import.meta.dirname, sourcefile: file }
  const built = await build({ ...options, external, stdin, outfile: join(folder, file) })
  for (const [source, names] of Object.entries(assets))
    for (const name of names) await copyFile(join(root, source, '..', name), join(folder, basename(name)))
  return built
}

const exported = `import { runSystem, systemOf } from './system.ts'
  export const system = systemOf(load)
  export const run = () => void runSystem(load)`
