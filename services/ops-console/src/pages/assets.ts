/** Files that the pages load. The only one is the script that refreshes a page, sent as it stands in this folder. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Asset } from '../http/console-page.ts'

const script = readFileSync(join(import.meta.dirname, 'refresh.client.js'), 'utf8')
const hash = createHash('sha256').update(script).digest('base64url').slice(0, 16)

export const refreshScript: Asset = {
  path: `/ops/assets/refresh.${hash}.js`,
  contentType: 'text/javascript; charset=utf-8',
  body: script,
}

export const assets: readonly Asset[] = [refreshScript]
