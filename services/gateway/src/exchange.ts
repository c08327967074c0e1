/**
 * One request with its response, from the first header to the last check. Checks store their results here in their
 * order, and later checks read them with `found`. A missing result is a bug in the order, never the client's fault.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GrantView } from '@financial-agents/bus/messages/authority'
import type { Route } from '@financial-agents/contract/route'
import type { VerifiedProof } from '@financial-agents/dpop/proof'
import { traceparentOrNew } from '@financial-agents/runtime/context'
import type { FastifyRequest } from 'fastify'
import type { ClientAddress } from './client-address.ts'
import { noteBegun } from './measure.ts'
import { type RequestHeaders, readHeaders } from './request-headers.ts'
import { requestIdOf } from './request-id.ts'
import type { CustomerToken, OperatorToken } from './token-classes.ts'
import { isSameOriginOnly } from './tunnelled-paths.ts'

/** The facts about a request that its response needs, whichever part answers. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** The path as sent, without the query. Starts with `/`. */
  readonly path: string
  /** The query as sent, without `?`. */
  readonly rawQuery: string
  readonly headers: RequestHeaders
  readonly requestId: string
  readonly traceparent: string
  /** Monotonic, ms. */
  readonly startedAt: number
  /** Returns the client's address, as far as the trusted proxies report it. */
  readonly address: () => string
  /** The name of the route, or its substitute in the log. */
  readonly name: string
  readonly row: Route | null
  /** True for pages of this origin: no other origin may read the answer. */
  readonly sameOriginOnly: boolean
  readonly params: Readonly<Record<string, string>>

  presentedToken?: string
  token?: CustomerToken
  /** Set instead of `token` on operators' routes. */
  operatorToken?: OperatorToken
  proof?: VerifiedProof
  grant?: GrantView
  /** The scopes that both the token and the grant have. Set if the route accepts several scopes or needs the policy. */
  scopes?: string[]
  /** The body as sent; `body` is its parsed value. */
  text?: string
  body?: unknown
  query?: Record<string, string>
  idempotency?: { key: string; request_hash: string }
  /** Set if the route accepts `Confirmation-Intent-ID`. */
  confirmation?: { intent_id: string | null; request_hash: string }
  /** Set if the client was asked to continue (`Expect: 100-continue`). */
  continued?: true
  /** Set when the exchange has been counted with its outcome. */
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

/**
 * Splits a request target. In the absolute form (RFC 9112 §3.2.2) the origin is dropped, because nothing depends on it.
 */
export function splitTarget(target: string): { path: string; rawQuery: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]+/i, '')
  const end = relative.search(/[?#]/)
  const path = end === -1 ? relative : relative.slice(0, end)
  const rest = end !== -1 && relative[end] === '?' ? relative.slice(end + 1) : ''
  const fragment = rest.indexOf('#')
  return { path: path.startsWith('/') ? path : '/', rawQuery: fragment === -1 ? rest : rest.slice(0, fragment) }
}

/** Returns a result that an earlier check must have stored. */
export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a check ran before the one that it builds on')
  return value
}
