/**
 * Writes responses. Every response has X-Request-Id. API responses are never cached, and responses of protected routes
 * have a nonce. Only this module renders problem details. Headers are collected in one flat list and written by one
 * writeHead, which is Node's fastest way.
 */

import type { TunnelledResponse } from '@financial-agents/bus/messages/http'
import { operatorAudience } from '@financial-agents/contract/operator-audience'
import { Problem, type ProblemData, renderProblem } from '@financial-agents/contract/problem'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { scopesOf } from '@financial-agents/contract/route'
import { type Challenge, challenge } from '@financial-agents/dpop/authorization-header'
import { tunnelledBack } from './carry.ts'
import type { Cors } from './cors.ts'
import type { Exchange } from './exchange.ts'
import { noteAnswered } from './measure.ts'
import type { Stored } from './stored.ts'

/** A response body as JSON text, already UTF-8 if it comes from a service; null for a response without a body. */
export type Answer = {
  status: number
  json: Uint8Array | string | null
  replayed?: boolean
  cookies?: readonly string[]
  /** The caching of the answer, for anyone. Without it, the answer is not cached. */
  kept?: { etag: string; maxAgeS: number }
}

export type Responder = {
  /** The headers of every API response; the caller may add to them. */
  headers(exchange: Exchange): string[]
  send(exchange: Exchange, status: number, headers: string[], body: Uint8Array | string | null): void
  sendAnswer(exchange: Exchange, answer: Answer): void
  sendProblem(exchange: Exchange, problem: Problem, more?: readonly string[]): void
  sendPreflight(exchange: Exchange, methods: readonly string[]): void
  sendStored(exchange: Exchange, stored: Stored): void
  /** Sends a service's response with its own caching and security headers. */
  sendTunnelled(exchange: Exchange, tunnelled: TunnelledResponse): void
}

export type ResponderOptions = {
  baseUrl: string
  cors: Cors
  currentNonce: () => string
  /** True if the process is about to end, so that connections are not reused. */
  isStopping: () => boolean
}

export function createResponder(options: ResponderOptions): Responder {
  const { baseUrl, cors, currentNonce } = options
  const challenges = createChallenges(baseUrl)
  const usual: [string, string][] = [['X-Content-Type-Options', 'nosniff']]
  if (baseUrl.startsWith('https:')) usual.push(['Strict-Transport-Security', 'max-age=31536000'])
  const always = usual.flat()

  const headers = (exchange: Exchange, kept?: Answer['kept']): string[] => {
    const list = ['X-Request-Id', exchange.requestId, 'Cache-Control', cacheControl(kept), ...always]
    if (kept) list.push('ETag', kept.etag)
    if (exchange.sameOriginOnly) list.push('Cross-Origin-Resource-Policy', 'same-origin')
    else cors.addTo(list, asked(exchange))
    if (exchange.row !== null && exchange.row.scope !== null) list.push('DPoP-Nonce', currentNonce())
    return list
  }
  const sendAnswer = (exchange: Exchange, answer: Answer) => {
    const list = headers(exchange, answer.kept)
    if (answer.replayed) list.push('Idempotent-Replayed', 'true')
    for (const cookie of answer.cookies ?? []) list.push('Set-Cookie', cookie)
    if (answer.json !== null) list.push('Content-Type', 'application/json')
    send(exchange, answer.status, list, answer.json)
  }
  const sendProblem = (exchange: Exchange, { data }: Problem, more: readonly string[] = []) => {
    const { status } = problemCatalogue[data.code]
    const list = headers(exchange)
    list.push(...more, 'Content-Type', 'application/problem+json')
    if (status === 401 || status === 403) list.push('WWW-Authenticate', challenges(exchange, data))
    if (status === 429) list.push('Retry-After', String(Math.max(1, Math.ceil(data.retry_after ?? 1))))
    const body = renderProblem(data, {
      baseUrl,
      instance: exchange.path,
      requestId: exchange.requestId,
      refreshOnboarding: exchange.row?.refreshOnboarding === true,
    })
    send(exchange, status, list, JSON.stringify(body))
  }
  const sendPreflight = (exchange: Exchange, methods: readonly string[]) => {
    const list = headers(exchange)
    if (!exchange.sameOriginOnly) cors.addPreflightTo(list, asked(exchange), methods)
    send(exchange, 204, list, null)
  }
  const sendTunnelled = (exchange: Exchange, tunnelled: TunnelledResponse) => {
    const body = tunnelled.body === '' ? null : Buffer.from(tunnelled.body, 'base64')
    const list = tunnelledBack(tunnelled, [['X-Request-Id', exchange.requestId], ...usual])
    if (!exchange.sameOriginOnly && !isKeptToThisOrigin(tunnelled)) cors.addTo(list, asked(exchange))
    send(exchange, tunnelled.status, list, body)
  }
  const sendStored = (exchange: Exchange, { status = 200, headers: own, body }: Stored) => {
    send(exchange, status, ['X-Request-Id', exchange.requestId, ...usual.slice(1).flat(), ...own], body)
  }
  const send: Responder['send'] = (exchange, status, list, body) => {
    if (options.isStopping()) list.push('Connection', 'close')
    write(exchange, status, list, body)
  }
  return { headers, send, sendAnswer, sendProblem, sendPreflight, sendStored, sendTunnelled }
}

/** An answer of authz about a client is not for the browser application of another one. */
function isKeptToThisOrigin({ headers }: TunnelledResponse): boolean {
  return headers.some(
    ([name, value]) => name.toLowerCase() === 'cross-origin-resource-policy' && value === 'same-origin',
  )
}

function asked({ path, headers }: Exchange) {
  return { path, origin: headers.origin }
}

/** The status that proxies log if the client has left. */
const clientIsGone = 499

function write(exchange: Exchange, status: number, headers: string[], body: Uint8Array | string | null): void {
  const { response } = exchange
  noteAnswered(exchange, response.destroyed ? clientIsGone : status)
  if (response.headersSent || response.destroyed) return
  // A client that waits for `100 Continue` will not send its body, so its connection cannot be reused.
  if (exchange.headers.expect !== undefined && !exchange.continued) headers.push('Connection', 'close')
  if (body !== null) headers.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, headers)
  if (body === null) response.end()
  else if (typeof body === 'string' || body.length > joinedBytes) response.end(body)
  else response.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'), 'latin1')
}

/** Node sends a text in one piece with the headers. latin1 keeps every byte as it is; larger bodies are not copied. */
const joinedBytes = 16_384

function cacheControl(kept: Answer['kept']): string {
  return kept ? `public, max-age=${kept.maxAgeS}` : 'no-store'
}

/**
 * Renders `WWW-Authenticate` for every 401 and 403 (RFC 6750 §3, RFC 9449 §7.1, RFC 9728 §5.1). Customers' clients get
 * the resource metadata, which leads to their authorization server. Operators' clients get the realm instead, because
 * only the console issues their tokens.
 */
function createChallenges(baseUrl: string) {
  const customers = createChallenge({ resourceMetadata: `${baseUrl}/.well-known/oauth-protected-resource` })
  const operators = createChallenge({ realm: operatorAudience(baseUrl) })
  return (exchange: Exchange, data: ProblemData): string =>
    exchange.row?.audience === 'operator' ? operators(exchange, data) : customers(exchange, data)
}

function createChallenge(where: Pick<Challenge, 'realm' | 'resourceMetadata'>) {
  const plain = challenge(where)
  return (exchange: Exchange, data: ProblemData): string => {
    switch (data.code) {
      case 'invalid_token':
      case 'invalid_dpop_proof':
      case 'use_dpop_nonce':
        // RFC 6750 §3.1: no error code if the client attempted no authentication.
        if (exchange.headers.authorization === undefined) return plain
        return challenge({ error: data.code, errorDescription: data.detail, ...where })
      case 'insufficient_scope': {
        const scope = data.scope ?? (exchange.row === null ? '' : scopesOf(exchange.row).join(' '))
        return challenge({ error: data.code, errorDescription: data.detail, ...where, scope })
      }
      default:
        return plain
    }
  }
}

/** Returns a thrown problem as it is. Any other error is a bug: it becomes internal_error, and the caller logs it. */
export function asProblem(error: unknown): Problem {
  return error instanceof Problem ? error : new Problem('internal_error', { cause: error })
}
