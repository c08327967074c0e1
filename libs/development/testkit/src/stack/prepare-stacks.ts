/**
 * Work shared by all stacks and kept in the cache: the bundles of the services, which start in a fraction of the time of the
 * sources, and the data of a PostgreSQL with every schema migrated. Each stack starts from a copy of the data.
 *
 * Invariant: each is found by a hash of everything that it is made of, so a changed source is never missed.
 */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf, keepFolder } from '@financial-agents/servers/cache'
import { runToEnd } from '@financial-agents/servers/child-process'
import { commandCompileCache, keepCompiled, keepCompiledFile } from './compile-cache.ts'
import { keepDatabase } from './keep-database.ts'
import type { Prepared } from './prepared.ts'
import { type Bundles, root, systemProgram } from './programs.ts'
import type { MigratedDatabase } from './schemas.ts'
import { listSources } from './sources.ts'

type Options = {
  log: (line: string) => void
  signal?: AbortSignal
  /** False for stacks whose services all run in one process. */
  processes?: boolean
}

/**
 * Makes what is not in the cache yet.
 * @throws Error in one line that says which service cannot be bundled or migrated; nothing is left behind. The abort
 * reason if aborted.
 */
export async function prepareStacks(options: Options): Promise<Prepared> {
  const sources = await sourcesOfPrograms()
  const key = await hashOf(root, sources, [process.version, process.platform, process.arch])
  const system = keepSystem(key, options)
  const [folder, database, bundles] = await Promise.all([
    system,
    prepareDatabase(sources, system, options),
    options.processes === false ? undefined : prepareBundles(key, options),
  ])
  return { system: folder, ...(bundles && { bundles }), ...(database && { database }) }
}

function keepSystem(key: string, { log }: Options): Promise<string> {
  return keepFolder({ name: 'system', key }, async (folder) => {
    log('bundling the system')
    const { bundleSystem } = await import('./system-bundle.ts')
    await bundleSystem(folder)
    await writeFile(join(folder, keepCompiledFile), keepCompiled)
  })
}

/** Returns the files of which programs are made, relative to the root. */
async function sourcesOfPrograms(): Promise<string[]> {
  const all = await listSources(['services', 'libs', 'deploy/src'])
  // No program contains the documentation.
  return [...all.filter((file) => !/^libs\/clients\/docs\/|\.md$/.test(file)), 'pnpm-lock.yaml']
}

async function prepareBundles(key: string, { log }: Options): Promise<Bundles> {
  const folder = await keepFolder({ name: 'bundles', key }, async (out) => {
    log('bundling the services')
    const { bundleServices, findServices } = await import('@financial-agents/deploy/images/bundle-services')
    await bundleServices({ services: await findServices(), out, version: '0.0.0-test' })
    await writeFile(join(out, keepCompiledFile), keepCompiled)
  })
  return { folder, nodeArguments: ['--require', join(folder, keepCompiledFile)] }
}

/** Undefined if PostgreSQL comes from POSTGRES_URL or a container, whose data cannot be copied. */
async function prepareDatabase(
  sources: readonly string[],
  system: Promise<string>,
  { log, signal }: Options,
): Promise<MigratedDatabase | undefined> {
  if (process.env['POSTGRES_URL']) return undefined
  return keepDatabase({
    keyFor: (server) => hashOf(root, sources.filter(shapesSchemas), [server]),
    migrate: async (service, environment) => {
      const env = { PATH: process.env['PATH'], ...commandCompileCache, ...environment }
      const args = [join(await system, systemProgram), service, 'migrate']
      return runToEnd(`${service} migrate`, process.execPath, args, { env, signal })
    },
    log,
    signal,
  })
}

function shapesSchemas(file: string): boolean {
  return /^services\/[^/]+\/src\/migrations[./]|^libs\/platform\/postgres\/src\/|\/secrets\/table\.ts$|\/schemas\.ts$/.test(
    file,
  )
}
