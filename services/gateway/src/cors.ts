/**
 * CORS, never with credentials: clients send tokens in a header, and cookies are for the pages of this origin. Every origin may read
 * published documents. Only registered browser origins may read all other answers, except those that the service behind keeps to
 * this origin.
 */

import { isPublishedPath } from './tunnelled-paths.ts'

const allowedHeaders =
  'authorization, dpop, content-type, idempotency-key, confirmation-intent-id, x-request-id, traceparent'
const exposedHeaders = 'Idempotent-Replayed, DPoP-Nonce, X-Request-Id, Retry-After, WWW-Authenticate, Date'
const maxAgeS = '600'

type CorsRequest = { path: string; origin: string | undefined }

export type Cors = {
  addTo(headers: string[], asked: CorsRequest): void
  /** Adds the further CORS headers of an answer to a preflight. */
  addPreflightTo(headers: string[], asked: CorsRequest, methods: readonly string[]): void
}

export function createCors(isRegistered: (origin: string) => boolean): Cors {
  const registered = (origin: string | undefined) => (origin !== undefined && isRegistered(origin) ? origin : undefined)
  return {
    addTo: (headers, { path, origin }) => {
      const isPublished = isPublishedPath(path)
      if (!isPublished) headers.push('Vary', 'Origin')
      const reader = isPublished ? '*' : registered(origin)
      if (reader === undefined) return
      headers.push('Access-Control-Allow-Origin', reader, 'Access-Control-Expose-Headers', exposedHeaders)
    },
    addPreflightTo: (headers, { path, origin }, methods) => {
      const isPublished = isPublishedPath(path)
      if (!isPublished && registered(origin) === undefined) return
      headers.push('Access-Control-Allow-Methods', methods.join(', '))
      // Clients read metadata with headers of their own (MCP-Protocol-Version).
      headers.push('Access-Control-Allow-Headers', isPublished ? `${allowedHeaders}, *` : allowedHeaders)
      headers.push('Access-Control-Max-Age', maxAgeS)
    },
  }
}
