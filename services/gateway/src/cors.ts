/**
 * CORS, only for registered browser origins and never with credentials. Clients send tokens in a header; cookies are
 * for the pages of this origin.
 */

const allowedHeaders =
  'authorization, dpop, content-type, idempotency-key, confirmation-intent-id, x-request-id, traceparent'
const exposedHeaders = 'Idempotent-Replayed, DPoP-Nonce, X-Request-Id, Retry-After, WWW-Authenticate, Date'
const maxAgeS = '600'

export type Cors = {
  /** Adds the CORS headers of a response to a request from `origin`. */
  addTo(headers: string[], origin: string | undefined): void
  /** Adds the further CORS headers of an answer to a preflight. */
  addPreflightTo(headers: string[], origin: string | undefined, methods: readonly string[]): void
}

export function createCors(isRegistered: (origin: string) => boolean): Cors {
  return {
    addTo: (headers, origin) => {
      headers.push('Vary', 'Origin')
      if (origin === undefined || !isRegistered(origin)) return
      headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', exposedHeaders)
    },
    addPreflightTo: (headers, origin, methods) => {
      if (origin === undefined || !isRegistered(origin)) return
      headers.push('Access-Control-Allow-Methods', methods.join(', '))
      headers.push('Access-Control-Allow-Headers', allowedHeaders, 'Access-Control-Max-Age', maxAgeS)
    },
  }
}
