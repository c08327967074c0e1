// Definitions of the custom resources that the chart can render, from the Go modules of their publishers. They are kept
// in a folder of the cache that a validator takes as it is. Only files are copied; nothing is built.

import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type CacheEntry, fillCache, findInCache } from '../cache.ts'
import { runToEnd } from '../child-process.ts'

const sources = [
  {
    module: 'sigs.k8s.io/gateway-api@v1.6.3',
    folder: 'config/crd/standard',
    files: ['gateway.networking.k8s.io_httproutes.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.94.0',
    folder: 'example/prometheus-operator-crd',
    files: ['monitoring.coreos.com_prometheusrules.yaml', 'monitoring.coreos.com_servicemonitors.yaml'],
  },
]

/** The version in the name of the cache entry. Raise it with every change to the definitions above. */
const version = '1.0.0'

const cached: CacheEntry = {
  name: 'resource-definitions',
  findVersion: async (folder) => {
    const present = new Set(await readdir(folder).catch(() => []))
    const complete = folder.endsWith(version) || folder.includes('unfinished-')
    return complete && sources.every(({ files }) => files.every((file) => present.has(file))) ? version : undefined
  },
}

/** The folder, or the reason why there is none. */
export type ResourceDefinitions = { path: string; missing?: never } | { path?: never; missing: string }

/**
 * Finds the definitions. Downloads them if they are not in the cache (8 MB).
 * @throws the abort reason if aborted
 */
export async function getResourceDefinitions(
  options: { signal?: AbortSignal | undefined } = {},
): Promise<ResourceDefinitions> {
  try {
    const found = (await findInCache(cached)) ?? (await fillCache(cached, (folder) => download(folder, options.signal)))
    return { path: found.folder }
  } catch (error) {
    options.signal?.throwIfAborted()
    const why = error instanceof Error ? error.message : String(error)
    return { missing: `the definitions of custom resources are not to be had here: install Go (tried: ${why})` }
  }
}

async function download(folder: string, signal: AbortSignal | undefined): Promise<void> {
  for (const source of sources) {
    const args = ['mod', 'download', '-json', source.module]
    const said = JSON.parse(await runToEnd('go mod download', 'go', args, { cwd: folder, signal })) as { Dir: string }
    for (const file of source.files) await copyFile(join(said.Dir, source.folder, file), join(folder, file))
  }
}
