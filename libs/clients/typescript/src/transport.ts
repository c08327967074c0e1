/**
 * One request with a token and a proof (contract, "Scheme"). The request is sent again, at most once for each reason,
 * if the API itself refused its token or proof: the API wants a fresh nonce, the token has expired, or the proof's time
 * was wrong and the answer has corrected the clock.
 */

import * as oauth from 'oauth4webapi'
import type { Core } from './core.ts'
import { learnTime } from './http.ts'
import { hasType, operationOf, type Promised, parsed, problemIn } from './own-answer.ts'
import { entryOf, type Hooks } from './request-log.ts'

export type ApiRequest = {
  method: string
  /** The concrete path, with its query. */
  path: string
  headers?: Record<string, string>
  body?: string | undefined
  /** Needs no credentials. */
  open?: boolean
  /** The answer that proves success. */
  promised?: Promised
}

export function operationRead(id: string): ApiRequest {
  return { method: 'GET', path: `/v1/operations/${id}`, promised: { is: operationOf(undefined, id) } }
}

/** The end of a request: its answer, whatever the status. `lost`, `failed`: the error, of the connection or of a hook, after which it may have arrived. */
export type SendResult = { response: Response } | { lost: unknown } | { failed: unknown }
type Sent = Exclude<SendResult, { failed: unknown }>

/**
 * Sends the request.
 *
 * @throws the error by which the token or the proof could not be obtained, or that of `onRequest`: the request was not sent then
 */
export async function send(
  core: Core,
  request: ApiRequest,
  signal?: AbortSignal,
  onResponse?: Hooks['onResponse'],
): Promise<SendResult> {
  const { hooks } = core
  const entry = entryOf(request)
  hooks.onRequest?.(entry)
  const startedAtMs = Date.now()
  const sent = await (request.open ? sendOpen(core, request, signal) : sendProtected(core, request, signal))
  if ('lost' in sent) return sent
  const { status, headers } = sent.response
  const requestId = headers.get('x-request-id') ?? undefined
  const answered = { ...entry, status, requestId, ms: Date.now() - startedAtMs, headers }
  try {
    hooks.onResponse?.(answered)
    onResponse?.(answered)
    return sent
  } catch (error) {
    return { failed: error }
  }
}

/** The end of a request that begins here. Any error leaves open if it arrived. */
async function sentBy(work: () => Promise<Response>): Promise<Sent> {
  try {
    return { response: await work() }
  } catch (error) {
    // The library turns a challenge into an error, which holds the answer.
    return error instanceof oauth.WWWAuthenticateChallengeError ? { response: error.response } : { lost: error }
  }
}

function sendOpen({ http, origin }: Core, { method, path, headers }: ApiRequest, signal?: AbortSignal): Promise<Sent> {
  return sentBy(() =>
    http(origin + path, { method, headers: headers ?? {}, redirect: 'manual', signal: signal ?? null }),
  )
}

async function sendProtected(core: Core, request: ApiRequest, signal?: AbortSignal): Promise<Sent> {
  const answered = new Set<string>()
  for (;;) {
    const token = await core.session.token(signal)
    const skewS = core.clock.skewS()
    const sent = await withToken(core, token, request, signal)
    if ('lost' in sent) return sent
    const { response } = sent
    const error = await challengeOf(core, request, response)
    if (error === undefined || answered.has(error)) return sent
    answered.add(error)
    if (error === 'invalid_token') core.session.refused(token)
    // A wrong clock makes a wrong proof. The request is sent again only if the answer's Date has corrected the clock.
    else if (error !== 'use_dpop_nonce' && (error !== 'invalid_dpop_proof' || core.clock.skewS() === skewS)) return sent
    await response.body?.cancel()
  }
}

async function withToken(core: Core, token: string, request: ApiRequest, signal?: AbortSignal): Promise<Sent> {
  const { method, path, body } = request
  const { http } = await core.context(signal)
  const headers = new Headers(request.headers)
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
  const url = new URL(path, core.origin)
  const options = { ...http, ...(signal && { signal }) }
  return sentBy(() => oauth.protectedResourceRequest(token, method, url, headers, body ?? null, options))
}

/** The reason for which the API refused token or proof. A challenge of something in between leaves open if the request was carried out. */
async function challengeOf({ origin }: Core, { method }: ApiRequest, response: Response): Promise<string | undefined> {
  if (response.status !== 401) return undefined
  // An answer to HEAD has no body.
  const isOwn =
    method === 'HEAD'
      ? hasType(response, 'application/problem+json')
      : problemIn(
          response,
          parsed(
            await response
              .clone()
              .text()
              .catch(() => ''),
          ),
          origin,
        )
  if (!isOwn) return undefined
  learnTime(response)
  return /\berror="?([a-z_]+)/.exec(response.headers.get('www-authenticate') ?? '')?.[1]
}
