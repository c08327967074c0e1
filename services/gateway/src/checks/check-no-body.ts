/** A route without a body takes none: what it cannot mean, it does not ignore. */

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
