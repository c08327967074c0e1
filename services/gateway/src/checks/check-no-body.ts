/**
 * A request to a route without a body must have none. A body is refused and not ignored, because it would have no
 * meaning.
 */

import { Problem } from '@financial-agents/contract/problem'
import { readBody } from '../body.ts'
import type { Exchange } from '../exchange.ts'

export function checkNoBody(exchange: Exchange): void | Promise<void> {
  const { contentLength, transferEncoding } = exchange.headers
  if (transferEncoding !== undefined) return readBody(exchange).then((body) => refuse(body.length))
  if (contentLength !== undefined) refuse(Number(contentLength))
}

function refuse(bytes: number): void {
  if (bytes === 0) return
  const fields = [{ path: 'body', message: 'This route takes no body.' }]
  throw new Problem('validation_failed', { detail: 'body: This route takes no body.', fields })
}
