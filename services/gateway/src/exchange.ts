/**
 * One request with its response, from the first header to the last check. The checks fill in what they found out, in
 * their order; `found` is how a later one reads it, and finding nothing there is a bug of the order, never of the client.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GrantView } from '@financial-agents/bus/messages/authority'
import type { Route } from '@financial-agents/contract/route'
import type { VerifiedProof } from '@financial-agents/dpop/proof'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import type { FastifyRequest } from 'fastify'
import { isSameOriginOnly } from './carried-paths.ts'
import type { ClientAddress } from './client-address.ts'
import { noteBegun } from './measure.ts'
import { type RequestHeaders, readHeaders } from './request-headers.ts'
import { requestIdOf } from './request-id.ts'
import type { CustomerToken, OperatorToken } from './token-classes.ts'

/** What every response needs to know of its request, answered by whichever part. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** As sent, without query. Starts with `/`. */
  readonly path: string
  /** As sent, without `?`. */
  readonly rawQuery: string
  readonly headers: RequestHeaders
  readonly requestId: string
  readonly traceparent: string
  /** Monotonic, ms. */
  readonly startedAt: number
  /** The client's, as far as the trusted proxies go. */
  readonly address: () => string
  /** The name of the route, or what stands for it in the log. */
  readonly name: string
  readonly row: Route | null
  /** For the pages of this origin alone: no other may read the answer. */
  readonly sameOriginOnly: boolean
  readonly params: Readonly<Record<string, string>>

  presentedToken?: string
  token?: CustomerToken
  /** On routes of operators, instead of `token`. */
  operatorToken?: OperatorToken
  proof?: VerifiedProof
  grant?: GrantView
  /** Where the route takes any of several scopes, or asks for the policy: those that token and grant both have. */
  scopes?: string[]
  /** The body as sent, and as parsed. */
  text?: string
  body?: unknown
  query?: Record<string, string>
  idempotency?: { key: string; request_hash: string }
  /** Where the route takes `Confirmation-Intent-ID`. */
  confirmation?: { intent_id: string | null; request_hash: string }
  /** The client was told to go on sending (`Expect: 100-continue`). */
  continued?: true
  /** It was counted, with what became of it. */
  measured?: true
}

export function openExchange(
  request: FastifyRequest,
  response: ServerResponse,
  route: { name: string; row: Route | null; sameOriginOnly?: boolean },
  clientAddress: ClientAddress,
): Exchange {
  const { raw } = request
  const headers = readHeaders(raw.rawHeaders)
  const { path, rawQuery } = splitTarget(raw.url ?? '/')
  noteBegun()
  return {
    request: raw,
    response,
    method: raw.method ?? '',
    path,
    rawQuery,
    headers,
    requestId: requestIdOf(headers),
    traceparent: traceparentOrNew(headers.traceparent),
    startedAt: performance.now(),
    address: () => clientAddress(raw.socket.remoteAddress ?? '', (name) => raw.headers[name]?.toString()),
    name: route.name,
    row: route.row,
    sameOriginOnly: route.sameOriginOnly ?? isSameOriginOnly(path),
    params: (request.params ?? {}) as Record<string, string>,
  }
}

/** Splits a request target; the absolute form (RFC 9112 §3.2.2) loses its origin, which never decides anything here. */
export function splitTarget(target: string): { path: string; rawQuery: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]+/i, '')
  const end = relative.search(/[?#]/)
  const path = end === -1 ? relative : relative.slice(0, end)
  const rest = end !== -1 && relative[end] === '?' ? relative.slice(end + 1) : ''
  const fragment = rest.indexOf('#')
  return { path: path.startsWith('/') ? path : '/', rawQuery: fragment === -1 ? rest : rest.slice(0, fragment) }
}

/** What an earlier check must have left. */
export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a check ran before the one that it builds on')
  return value
}
