/** Serves the built site on loopback, for reading and for tests. */

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { base, siteFolder } from './site.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}

/** Port 0 chooses a free port. */
export async function serveSite(port: number): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void fileOf(request.url ?? '/').then((found) => {
      if (!found) response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.\n')
      else response.writeHead(200, { 'content-type': found.type, 'x-content-type-options': 'nosniff' }).end(found.body)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}/`
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url, close }
}

async function fileOf(target: string): Promise<{ type: string; body: Buffer } | undefined> {
  const { pathname } = new URL(target, 'http://localhost')
  // `normalize` leaves no `..` behind the first slash.
  const path = normalize(decodeURIComponent(pathname))
  if (!path.startsWith(`${base}/`)) return undefined
  const file = join(siteFolder, path.slice(base.length), path.endsWith('/') ? 'index.html' : '')
  const body = await readFile(file).catch(() => undefined)
  return body && { type: types[extname(file)] ?? 'application/octet-stream', body }
}
