/** Makes the parts of one client from its options. */

import * as oauth from 'oauth4webapi'
import type { AuthContext, OAuthFetch } from './auth/profile.ts'
import { jsonFrom } from './auth/token-answer.ts'
import { ClientError } from './client-error.ts'
import { createClock } from './clock.ts'
import type { Core } from './core.ts'
import { dpopKey } from './dpop-key.ts'
import { createHttp, learnTime } from './http.ts'
import type { FinancialAgentsOptions } from './options.ts'
import { createSession } from './session.ts'
import { within } from './store.ts'
import { memoryStore } from './stores/memory.ts'

/** Makes the parts. @throws ClientError `invalid_use` */
export function createCore(options: FinancialAgentsOptions): Core {
  const { clientId, auth, account = 'owner', onOwnerNeeded, attemptTimeoutMs = 30_000, retryForMs = 60_000 } = options
  const origin = originOf(options.baseUrl)
  if (options.fetch !== undefined && typeof options.fetch !== 'function')
    throw new ClientError('invalid_use', "fetch is not a function: give one that works as the platform's fetch.")
  const clock = createClock()
  const http = createHttp({ fetch: options.fetch ?? ((url, init) => fetch(url, init)), clock, attemptTimeoutMs })
  const scope = `${origin}/${clientId}/${account}/`
  const store = within(options.store ?? memoryStore(), scope)
  const oauthFetch = http as OAuthFetch
  const allowInsecure = new URL(origin).protocol === 'http:'

  const server = lazy(async () => {
    const headers = { accept: 'application/json' }
    const answer = await http(`${origin}/.well-known/oauth-authorization-server`, { headers, redirect: 'manual' })
    const metadata = await jsonFrom<oauth.AuthorizationServer>(answer)
    // If the issuer were another one, its endpoints would receive the secrets of this client (RFC 8414, 3.3).
    if (metadata.issuer !== origin)
      throw new ClientError('response_invalid', `The issuer at ${origin} is ${metadata.issuer}: is that the baseUrl?`)
    learnTime(answer)
    return metadata
  })
  const proofs = lazy(async () =>
    oauth.DPoP({}, await dpopKey(store), {
      [oauth.modifyAssertion]: (_header, payload) => {
        payload['iat'] = Math.floor(clock.now() / 1_000)
      },
    }),
  )
  const context = async (signal?: AbortSignal): Promise<AuthContext> => ({
    server,
    client: () => ({ client_id: clientId, [oauth.clockSkew]: clock.skewS() }),
    http: {
      DPoP: await proofs(),
      [oauth.customFetch]: oauthFetch,
      [oauth.allowInsecureRequests]: allowInsecure,
    },
    resource: origin,
    store,
    onOwnerNeeded,
    now: clock.now,
    signal,
  })
  return {
    origin,
    scope,
    http,
    clock,
    store,
    context,
    onOwnerNeeded,
    hooks: options,
    retryForMs,
    session: createSession(auth, store, context, clock.now),
  }
}

/** Does the work once, and keeps its result. After a failure, the next call does the work again. */
function lazy<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | undefined
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined
      throw error
    }))
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : new URL('http://none')
  const { origin, protocol, hostname, username, password } = url
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback)
  if (username || password)
    throw new ClientError('invalid_use', `baseUrl has credentials: give ${origin} alone. The client signs in by auth.`)
  if (isSafe && url.href === `${origin}/`) return origin
  throw new ClientError(
    'invalid_use',
    `baseUrl is ${baseUrl}: give the API's origin alone, with https (http on loopback only).`,
  )
}
