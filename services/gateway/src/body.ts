/**
 * Reads a request body, only when a check needs it, and never more than the limit. Node discards an unread body after
 * the response, within its time limit for requests.
 */

import type { IncomingMessage } from 'node:http'
import { Problem } from '@financial-agents/contract/problem'
import type { Exchange } from './exchange.ts'

export const maxBodyBytes = 65_536

/** Requests whose body broke off, with the problem. */
const broken = new WeakMap<IncomingMessage, Problem>()
/** The reader of each request's body, which is notified if the body breaks off. */
const readers = new WeakMap<IncomingMessage, (why: Problem) => void>()

/** Reports a broken body to its current or later reader. */
export function breakBody(request: IncomingMessage, why: Problem): void {
  broken.set(request, why)
  readers.get(request)?.(why)
}

/**
 * @throws Problem payload_too_large; malformed_request if the body cannot be read; request_timeout if it took too long
 */
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

/** Reads a body of any media type. @throws as readBody; if possible, before it reads */
export async function readAnyBody(exchange: Exchange): Promise<Buffer> {
  if (Number(exchange.headers.contentLength ?? 0) > maxBodyBytes) throw new Problem('payload_too_large')
  return readBody(exchange)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws Problem malformed_json if the bytes are not UTF-8 */
export function decodeBody(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new Problem('malformed_json')
  }
}
