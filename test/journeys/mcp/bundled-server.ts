/** The MCP server as one file, kept in the cache. It starts in a fraction of the time that its sources take. */

import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFolder } from '@financial-agents/servers/cache'
import { build } from 'esbuild'

const program = join(import.meta.dirname, '../../../libs/clients/mcp/src/main.ts')

let bundled: Promise<string> | undefined

/** Returns the path of the file. A test file bundles the sources once. */
export function bundledServer(): Promise<string> {
  return (bundled ??= bundle())
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [program],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['@financial-agents/source'],
    logLevel: 'warning',
  })
  const content = outputFiles[0]?.contents ?? new Uint8Array()
  const key = createHash('sha256').update(content).digest('hex').slice(0, 32)
  const folder = await keepFolder({ name: 'mcp-server', key }, (out) => writeFile(join(out, 'server.mjs'), content))
  return join(folder, 'server.mjs')
}
