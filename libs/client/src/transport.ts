/**
 * One request with a token and a proof (contract, "Scheme"). The request is sent again, at most once for each reason,
 * if the API refused its token or proof: the API wants a fresh nonce, the token has expired, or the proof's time was
 * wrong and the answer has corrected the clock.
 */

import * as oauth from 'oauth4webapi'
import type { Core } from './core.ts'

/** A request of the API. */
export type ApiRequest = {
  method: string
  /** The concrete path, with its query. */
  path: string
  headers?: Record<string, string>
  body?: string | undefined
  /** Needs no credentials. */
  open?: boolean
}

/** Sends the request; resolves with the answer, whatever its status. */
export async function send(core: Core, request: ApiRequest, signal?: AbortSignal): Promise<Response> {
  const startedAtMs = Date.now()
  const response = await (request.open ? sendOpen(core, request, signal) : sendProtected(core, request, signal))
  const { method, path } = request
  core.log({
    event: 'answered',
    method,
    path: path.replace(/\?.*/s, ''),
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    ms: Date.now() - startedAtMs,
  })
  return response
}

function sendOpen({ http, origin }: Core, { method, path, headers }: ApiRequest, signal?: AbortSignal) {
  return http(origin + path, { method, headers: headers ?? {}, redirect: 'manual', signal: signal ?? null })
}

async function sendProtected(core: Core, request: ApiRequest, signal?: AbortSignal): Promise<Response> {
  const answered = new Set<string>()
  for (;;) {
    const token = await core.session.token(signal)
    const skewS = core.clock.skewS()
    const response = await withToken(core, token, request, signal)
    const error = response.status === 401 ? challengeOf(response) : undefined
    if (error === undefined || answered.has(error)) return response
    answered.add(error)
    if (error === 'invalid_token') await core.session.refused(token)
    // A wrong clock makes a wrong proof. The request is sent again only if the answer's Date has corrected the clock.
    else if (error !== 'use_dpop_nonce' && (error !== 'invalid_dpop_proof' || core.clock.skewS() === skewS))
      return response
    await response.body?.cancel()
  }
}

async function withToken(core: Core, token: string, request: ApiRequest, signal?: AbortSignal): Promise<Response> {
  const { method, path, body } = request
  const { http } = await core.context(signal)
  const headers = new Headers(request.headers)
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
  const options = { ...http, ...(signal && { signal }) }
  try {
    return await oauth.protectedResourceRequest(
      token,
      method,
      new URL(path, core.origin),
      headers,
      body ?? null,
      options,
    )
  } catch (error) {
    // The library turns a challenge into an error, which holds the answer.
    if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response
    throw error
  }
}

function challengeOf(response: Response): string | undefined {
  return /\berror="?([a-z_]+)/.exec(response.headers.get('www-authenticate') ?? '')?.[1]
}
