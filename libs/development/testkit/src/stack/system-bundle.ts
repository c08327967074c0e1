/** Bundles the services of a stack as one program, which starts in a fraction of the time of its sources. */

import { copyFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { assets } from '@financial-agents/deploy/images/assets'
import { findServices } from '@financial-agents/deploy/images/bundle-services'
import { servicesOptions } from '@financial-agents/deploy/images/esbuild-options'
import { build } from 'esbuild'
import { root, servicesFolder, systemProgram } from './programs.ts'

/** Writes the program and the files that its services read beside it. */
export async function bundleSystem(folder: string): Promise<void> {
  const services = await findServices()
  const {
    entryPoints: _,
    outExtension: __,
    external: ___,
    ...options
  } = servicesOptions(root, { services, version: '0.0.0-test' })
  const loads = services.map((name) => `'${name}': () => import('${join(servicesFolder, name, 'src/service.ts')}')`)
  await build({
    ...options,
    stdin: {
      contents: `import { runSystem } from './system.ts'
        const services = { ${loads.join(', ')} }
        void runSystem((name) => services[name]())`,
      resolveDir: import.meta.dirname,
      sourcefile: systemProgram,
    },
    outfile: join(folder, systemProgram),
  })
  for (const [source, names] of Object.entries(assets))
    for (const name of names) await copyFile(join(root, source, '..', name), join(folder, basename(name)))
}
