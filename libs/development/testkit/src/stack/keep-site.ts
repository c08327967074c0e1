/**
 * The built documentation site, kept in the cache: built once for equal sources.
 *
 * Invariant: it is found by a hash of everything that it is made of, so a changed source is never missed.
 */

import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf, keepFolder } from '@financial-agents/servers/cache'
import { runToEnd } from '@financial-agents/servers/child-process'
import { root } from './programs.ts'
import { listSources } from './sources.ts'

type Options = { log: (line: string) => void; signal?: AbortSignal }

/** The folders of the texts and tables of the site's pages. One page lies in a service. */
const folders = [
  'libs/api',
  'libs/clients',
  'libs/development/dev',
  'libs/development/sandbox',
  'libs/platform/pages/messages',
  'libs/provider/port',
  'deploy',
]

/** Returns the folder of the site, and builds it first if there is none of these sources. @throws Error with the end of the output */
export async function keepSite({ log, signal }: Options): Promise<string> {
  const sources = await listSources(folders)
  const key = await hashOf(root, [...sources, 'services/fake-provider/README.md', 'pnpm-lock.yaml'], [process.version])
  return keepFolder({ name: 'documentation', key }, async (folder) => {
    log('building the documentation')
    const work = join(folder, 'work')
    const env = { ...process.env, DOCS_BUILD_FOLDER: work }
    await runToEnd('build-docs', process.execPath, [join(root, 'libs/clients/docs/src/build.ts')], {
      cwd: root,
      env,
      signal,
    })
    await cp(join(work, 'site'), folder, { recursive: true })
    await rm(work, { recursive: true })
  })
}
