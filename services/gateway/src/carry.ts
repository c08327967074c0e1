/**
 * Carries requests over the bus to services that answer as HTTP applications (authz: OAuth endpoints, metadata, pages;
 * the console: its pages). The service gets the client's request without the headers of this connection. The client
 * gets the service's response with the CORS headers of this origin, and unchanged otherwise.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import type { TunnelledRequest, TunnelledResponse } from '@financial-agents/bus/messages/http'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { BusState } from './bus-state.ts'
import type { Exchange } from './exchange.ts'
import type { TunnelledService } from './tunnelled-paths.ts'

/** Headers of one connection (RFC 9110 §7.6.1), and headers that the gateway sets itself. */
const notTunnelled = new Set(
  [
    'connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade',
    'content-length date expect host x-request-id',
    'forwarded via x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-real-ip',
  ].flatMap((names) => names.split(' ')),
)

/** @throws Problem service_unavailable if the service does not answer */
export type Carry = (exchange: Exchange, body: Buffer) => Promise<TunnelledResponse>

export function createTunnel(dependencies: {
  bus: Bus
  busState: BusState
  deadlineMs: number
  service: TunnelledService
  publicHost: string
}): Carry {
  const { bus, busState, deadlineMs, service, publicHost } = dependencies
  return async (exchange, body) => {
    const tunnelled: TunnelledRequest = {
      method: exchange.method,
      target: exchange.rawQuery === '' ? exchange.path : `${exchange.path}?${exchange.rawQuery}`,
      headers: [
        ...tunnelledHeaders(exchange.request.rawHeaders),
        ['host', publicHost],
        ['x-request-id', exchange.requestId],
      ],
      body: body.toString('base64'),
      remote_address: exchange.address(),
    }
    if (!busState.isConnected()) throw new Problem('service_unavailable')
    const { requestId, traceparent } = exchange
    return call(bus, `rpc.${service}.http`, tunnelled, { requestId, traceparent, timeoutMs: deadlineMs }).catch(
      unanswered,
    )
  }
}

function unanswered(error: unknown): never {
  if (isUnanswered(error)) throw new Problem('service_unavailable', { cause: error })
  throw error
}

function tunnelledHeaders(raw: readonly string[]): [string, string][] {
  const headers: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    headers.push([(raw[index] as string).toLowerCase(), raw[index + 1] as string])
  return withoutHopByHop(headers)
}

/** Removes the headers of the list and those that the Connection header names. */
function withoutHopByHop(headers: readonly [string, string][]): [string, string][] {
  const named = headers
    .filter(([name]) => name === 'connection')
    .flatMap(([, value]) => value.split(',').map((option) => option.trim().toLowerCase()))
  const dropped = new Set([...notTunnelled, ...named])
  return headers.filter(([name]) => !dropped.has(name))
}

/**
 * Returns the headers of a carried response; repeated headers stay repeated. Adds each of `usual` that the response
 * does not have. CORS is left to the gateway, which knows the origins on every path and for every refusal.
 */
export function tunnelledBack(response: TunnelledResponse, usual: readonly [name: string, value: string][]): string[] {
  const lower = response.headers.map(([name, value]): [string, string] => [name.toLowerCase(), value])
  const headers = withoutHopByHop(lower).filter((header) => !isOfCors(header))
  const named = new Set(headers.map(([name]) => name))
  return [...headers, ...usual.filter(([name]) => !named.has(name.toLowerCase()))].flat()
}

function isOfCors([name, value]: [string, string]): boolean {
  return name.startsWith('access-control-') || (name === 'vary' && value.toLowerCase() === 'origin')
}
