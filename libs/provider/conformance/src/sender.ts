/**
 * The connection from the kit to the provider. This module adds the authentication that a provider demands. The adapter
 * under test sends its requests to the proxy without authentication, and the proxy forwards them as the adapter `http`
 * does (`libs/provider/http/src/authentication.ts`).
 *
 * Invariant: a request is sent once. Without an access token nothing is sent.
 */

import { type Authentication, authenticated } from '@financial-agents/provider-http/authentication'
import { createExchange } from '@financial-agents/provider-http/exchange'

export type Sent = {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export type Answer = { readonly status: number; readonly headers: Record<string, string>; readonly body: string }

export type Sender = {
  /** Rejects if there is no complete answer. */
  readonly send: (request: Sent) => Promise<Answer>
  readonly close: () => Promise<void>
}

const timeoutMs = 60_000

/** A sender to this provider. @param url its address */
export function createSender(url: string, authentication?: Authentication): Sender {
  return authentication === undefined ? plain(url) : proven(url, authentication)
}

/** A sender to the same provider that does not authenticate itself. */
export function createStranger(url: string, { tls }: Authentication): Sender {
  return proven(url, tls?.ca === undefined ? {} : { tls: { ca: tls.ca } })
}

function plain(url: string): Sender {
  return {
    async send({ method, path, headers, body }) {
      const response = await fetch(new URL(path, url), {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body }),
      })
      const type = response.headers.get('content-type')
      return {
        status: response.status,
        headers: type === null ? {} : { 'content-type': type },
        body: await response.text(),
      }
    },
    close: async () => {},
  }
}

function proven(url: string, authentication: Authentication): Sender {
  const { origin } = new URL(url)
  const exchange = authenticated(
    createExchange({
      origin,
      connections: 32,
      connectTimeoutMs: 60_000,
      maxResponseBytes: 16 * 1024 * 1024,
      tls: authentication.tls,
    }),
    origin,
    authentication,
  )
  return {
    async send({ method, path, headers, body }) {
      if (method !== 'GET' && method !== 'POST' && method !== 'PATCH') throw new Error('a method without a call')
      const result = await exchange.send({ method, path, headers, body: body ?? null, timeoutMs })
      if (result.type !== 'answered') throw new Error(`no answer: ${result.type}`)
      return { status: result.status, headers: { 'content-type': 'application/json' }, body: result.body }
    },
    close: () => exchange.close(),
  }
}
