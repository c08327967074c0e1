/**
 * HTTP over the bus. `injectTunnelled` passes a carried request to the application without a socket and returns the
 * response in carried form. Repeated response headers stay apart, so each cookie stays one header.
 *
 * Invariant: values that only the first hop may set (host, forwarded, the client's address) are never read from the
 * request's own headers.
 */

import { Buffer } from 'node:buffer'
import type { TunnelledRequest, TunnelledResponse } from '@financial-agents/bus/messages/http'
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

/** Returns the application's response to a request that came over the bus. */
export async function injectTunnelled(app: FastifyInstance, request: TunnelledRequest): Promise<TunnelledResponse> {
  const response = await app.inject({
    method: request.method,
    url: request.target,
    headers: joinHeaders(request),
    payload: Buffer.from(request.body, 'base64'),
    remoteAddress: request.remote_address,
    // With validation, `inject` throws at methods that it does not list. The application answers unknown methods
    // itself.
    validate: false,
  })
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    hopByHop.has(name) || value === undefined ? [] : [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return { status: response.statusCode, headers, body: response.rawPayload.toString('base64') }
}

/** Joins repeated headers into one, as Node does. Two DPoP proofs then become one invalid proof. */
function joinHeaders(request: TunnelledRequest): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase()
    if (hopByHop.has(lower) || lower === 'host' || lower === 'forwarded' || lower.startsWith('x-forwarded-')) continue
    const before = Object.hasOwn(joined, lower) ? joined[lower] : undefined
    joined[lower] = before === undefined ? value : `${before}${lower === 'cookie' ? '; ' : ', '}${value}`
  }
  return { ...joined, 'x-forwarded-for': request.remote_address }
}
