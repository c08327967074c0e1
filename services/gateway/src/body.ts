/**
 * Reading a body: only once a check asks for it, and never more than is accepted. What is not read is discarded by Node
 * after the response, within its time limit for requests.
 */

import type { IncomingMessage } from 'node:http'
import { Problem } from '@financial-agents/contract/problem'
import type { Exchange } from './exchange.ts'

export const maxBodyBytes = 65_536

/** Bodies of which the rest will never come. */
const broken = new WeakMap<IncomingMessage, Problem>()
/** Who reads the body of a request, and is to be told so. */
const readers = new WeakMap<IncomingMessage, (why: Problem) => void>()

/** Tells whoever reads the body of a request, or is going to, that it is broken. */
export function breakBody(request: IncomingMessage, why: Problem): void {
  broken.set(request, why)
  readers.get(request)?.(why)
}

/** @throws Problem payload_too_large; malformed_request when it cannot be read; request_timeout when it took too long */
export function readBody(exchange: Exchange): Promise<Buffer> {
  const { request, response } = exchange
  const why = broken.get(request)
  if (why) return Promise.reject(why)
  if (exchange.headers.expect !== undefined && !exchange.continued) {
    exchange.continued = true
    response.writeContinue()
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const settle = (settled: () => void) => {
      request.off('data', take).off('end', end).off('close', gone).off('error', gone)
      readers.delete(request)
      settled()
    }
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBodyBytes) chunks.push(chunk)
      else
        settle(() => {
          request.resume()
          reject(new Problem('payload_too_large'))
        })
    }
    const end = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const gone = () => settle(() => reject(new Problem('malformed_request', { detail: 'The body was not complete.' })))
    readers.set(request, (why) => settle(() => reject(why)))
    request.on('data', take).on('end', end).on('close', gone).on('error', gone)
  })
}

/** The body of a request whose media type nobody here asks about. @throws as readBody, before it reads where it can */
export async function readAnyBody(exchange: Exchange): Promise<Buffer> {
  if (Number(exchange.headers.contentLength ?? 0) > maxBodyBytes) throw new Problem('payload_too_large')
  return readBody(exchange)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws Problem malformed_json where the bytes are not UTF-8 */
export function decodeBody(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new Problem('malformed_json')
  }
}
