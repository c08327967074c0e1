/**
 * The middleware around the library's endpoints, one function each. It adds refusals before the library, and gives
 * answers the contract's form after it.
 */

import { isForeignForm } from '@financial-agents/pages/tunnel/foreign-form'
import type { Clock } from '@financial-agents/runtime/clock'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { validateProof } from './checks/check-proof.ts'
import { withoutFragment } from './checks/check-response-mode.ts'
import { cookieNames } from './cookies.ts'
import { keepGivenCode } from './device-flow.ts'
import { narrowMetadata } from './metadata.ts'
import { paths } from './paths.ts'
import { refusePublicRevocation } from './revocation.ts'
import type { Frame } from './show.ts'
import { showError } from './show-error.ts'

export type Middleware = (ctx: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void>

const discoveryPaths: ReadonlySet<string> = new Set([paths.openidConfiguration, paths.authorizationServer])

const neverStored: ReadonlySet<string> = new Set([
  paths.token,
  paths.pushedRequest,
  paths.revocation,
  paths.deviceAuthorization,
])

export function checkProofFirst(clock: Clock): Middleware {
  return async (ctx, next) => {
    const proof = ctx.get('dpop')
    const wanted = ctx.path === paths.token || (ctx.path === paths.pushedRequest && proof !== '')
    const refusal = wanted && ctx.method === 'POST' ? validateProof(proof, clock.nowMs()) : undefined
    if (!refusal) return next()
    ctx.status = 400
    ctx.set('cache-control', 'no-store')
    ctx.body = refusal
  }
}

/** Browsers open this endpoint. The library adds the hash of its own script if an answer is posted to the client. */
export function authorizationEndpoint(): Middleware {
  return async (ctx, next) => {
    if (!isAuthorization(ctx.path)) return next()
    ctx.set('content-security-policy', "default-src 'none';script-src;base-uri 'none';frame-ancestors 'none'")
    ctx.set('referrer-policy', 'no-referrer')
    ctx.set('x-content-type-options', 'nosniff')
    if (ctx.path === paths.authorization) keepPushedAlone(ctx)
    await next()
    const location = ctx.response.get('location')
    if (location) ctx.set('location', withoutFragment(location))
  }
}

/**
 * Requires that the form for a device's code comes from this origin, and that its browser has a session; the way back
 * from an interaction needs that session too. The library checks the form's secret, but fails if there is no session
 * that contains one.
 */
export function deviceEndpoint(baseUrl: string, frame: Frame): Middleware {
  const { session } = cookieNames(baseUrl)
  return async (ctx, next) => {
    if (!isDevice(ctx.path)) return next()
    const opened = ctx.path === paths.device && ctx.method === 'GET'
    if (opened) keepGivenCode(ctx)
    const foreign = ctx.method === 'POST' && isForeignForm(ctx.headers, baseUrl)
    if (opened || (!foreign && ctx.cookies.get(session))) return next()
    ctx.status = foreign ? 403 : 400
    await showError(ctx, { error: 'invalid_request' }, frame)
  }
}

export function narrowAnswers(baseUrl: string): Middleware {
  return async (ctx, next) => {
    await next()
    if (neverStored.has(ctx.path)) ctx.set('cache-control', 'no-store')
    if (ctx.path === paths.revocation) refusePublicRevocation(ctx)
    if (ctx.status === 200 && discoveryPaths.has(ctx.path))
      ctx.body = narrowMetadata(ctx.body as Record<string, unknown>, baseUrl)
  }
}

export function isAuthorization(path: string): boolean {
  return path === paths.authorization || path.startsWith(`${paths.authorization}/`)
}

export function isDevice(path: string): boolean {
  return path === paths.device || path.startsWith(`${paths.device}/`)
}

/**
 * After a pushed request, the authorization request needs only `request_uri` and `client_id` (contract, rule 2).
 * Clients that follow RFC 9101 repeat the other parameters. They are removed before the library reads the query, so no
 * parameter outside the pushed request is ever used.
 */
function keepPushedAlone(ctx: Pick<KoaContextWithOIDC, 'query'>): void {
  const { client_id, request_uri } = ctx.query
  // RFC 6749, 3.1: a parameter without a value counts as omitted.
  if (request_uri) ctx.query = { ...(client_id === undefined ? {} : { client_id }), request_uri }
}
