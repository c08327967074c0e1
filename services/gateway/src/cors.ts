/**
 * CORS for registered browser origins alone, and never with credentials: tokens are sent by hand, cookies are for the
 * pages of this origin.
 */

const allowedHeaders =
  'authorization, dpop, content-type, idempotency-key, confirmation-intent-id, x-request-id, traceparent'
const exposedHeaders = 'Idempotent-Replayed, DPoP-Nonce, X-Request-Id, Retry-After, WWW-Authenticate'
const maxAgeS = '600'

export type Cors = {
  /** Adds what a response to a request from `origin` carries. */
  addTo(headers: string[], origin: string | undefined): void
  /** Adds what the answer to a preflight carries besides. */
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
