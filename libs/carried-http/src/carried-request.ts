/**
 * HTTP over the bus: a carried request is injected into the application and what it answers is carried back, repeated
 * headers as they are (each cookie is one).
 *
 * Invariant: what only the first hop may say (host, forwarded, the client's address) is never taken from the request itself.
 */

import { Buffer } from 'node:buffer'
import type { CarriedRequest, CarriedResponse } from '@financial-agents/bus/messages/http'
import type { FastifyInstance } from 'fastify'

const hopByHop = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What the application answers to a request that came over the bus. */
export async function injectCarried(app: FastifyInstance, request: CarriedRequest): Promise<CarriedResponse> {
  const response = await app.inject({
    method: request.method,
    url: request.target,
    headers: joinHeaders(request),
    payload: Buffer.from(request.body, 'base64'),
    remoteAddress: request.remote_address,
    // It would throw at methods that it does not list; the application answers them as methods that no path takes.
    validate: false,
  })
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    hopByHop.has(name) || value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return { status: response.statusCode, headers, body: response.rawPayload.toString('base64') }
}

/** Repeated headers as one, the way Node joins them: two proofs make one that is none. */
function joinHeaders(request: CarriedRequest): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase()
    if (hopByHop.has(lower) || lower === 'host' || lower === 'forwarded' || lower.startsWith('x-forwarded-')) continue
    const before = Object.hasOwn(joined, lower) ? joined[lower] : undefined
    joined[lower] = before === undefined ? value : `${before}${lower === 'cookie' ? '; ' : ', '}${value}`
  }
  return { ...joined, 'x-forwarded-for': request.remote_address }
}
