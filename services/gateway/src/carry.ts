/**
 * The paths that a service answers as an HTTP application (authz: OAuth endpoints, metadata, pages; the console: its pages),
 * carried over the bus. It sees what the client sent, less what concerns only this connection; what it answers goes back as
 * it is.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import type { CarriedRequest, CarriedResponse } from '@financial-agents/bus/messages/http'
import { call } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { BusState } from './bus-state.ts'
import type { CarriedService } from './carried-paths.ts'
import type { Exchange } from './exchange.ts'

/** RFC 9110 §7.6.1, and what the gateway says itself. */
const notCarried = new Set(
  [
    'connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade',
    'content-length expect host x-request-id',
    'forwarded via x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded-port x-real-ip',
  ].flatMap((names) => names.split(' ')),
)

/** @throws Problem service_unavailable where the service does not answer */
export type Carry = (exchange: Exchange, body: Buffer) => Promise<CarriedResponse>

export function createCarry(parts: {
  bus: Bus
  busState: BusState
  deadlineMs: number
  service: CarriedService
  publicHost: string
}): Carry {
  const { bus, busState, deadlineMs, service, publicHost } = parts
  return async (exchange, body) => {
    const carried: CarriedRequest = {
      method: exchange.method,
      target: exchange.rawQuery === '' ? exchange.path : `${exchange.path}?${exchange.rawQuery}`,
      headers: [
        ...carriedHeaders(exchange.request.rawHeaders),
        ['host', publicHost],
        ['x-request-id', exchange.requestId],
      ],
      body: body.toString('base64'),
      remote_address: exchange.address(),
    }
    if (!busState.isConnected()) throw new Problem('service_unavailable')
    const { requestId, traceparent } = exchange
    return call(bus, `rpc.${service}.http`, carried, { requestId, traceparent, timeoutMs: deadlineMs }).catch(
      unanswered,
    )
  }
}

function unanswered(error: unknown): never {
  if (isUnanswered(error)) throw new Problem('service_unavailable', { cause: error })
  throw error
}

function carriedHeaders(raw: readonly string[]): [string, string][] {
  const headers: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    headers.push([(raw[index] as string).toLowerCase(), raw[index + 1] as string])
  return withoutHopByHop(headers)
}

/** Headers of one connection are those of the list and those that its Connection header names. */
function withoutHopByHop(headers: readonly [string, string][]): [string, string][] {
  const named = headers
    .filter(([name]) => name === 'connection')
    .flatMap(([, value]) => value.split(',').map((option) => option.trim().toLowerCase()))
  const dropped = new Set([...notCarried, ...named])
  return headers.filter(([name]) => !dropped.has(name))
}

/** The headers of a carried response as they leave, repeated ones repeated; `usual` are added where it has them not. */
export function carriedBack(response: CarriedResponse, usual: readonly [name: string, value: string][]): string[] {
  const headers = withoutHopByHop(response.headers.map(([name, value]) => [name.toLowerCase(), value]))
  const named = new Set(headers.map(([name]) => name))
  return [...headers, ...usual.filter(([name]) => !named.has(name.toLowerCase()))].flat()
}
