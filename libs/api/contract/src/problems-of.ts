/**
 * The problems that a route can answer: its own, and those that its columns imply. The columns decide the checks of a
 * request and the services behind the route, so the possible errors follow from them.
 *
 * Invariant: the list contains every problem that the gateway or the service answers to a request for the row.
 */

import { type ProblemCode, problemCodes } from './problem-catalogue.ts'
import { enablableOf, type Route } from './route.ts'
import { mayDoTwice } from './unanswered.ts'

const every = () => true
const protects = (row: Route) => row.scope !== null
const forwarded = (row: Route) => row.service !== 'gateway'
const takesBody = (row: Route) => row.body !== null

// biome-ignore format: a table
const implied: readonly (readonly [applies: (row: Route) => boolean, codes: readonly ProblemCode[]])[] = [
  [every, ['malformed_request', 'request_timeout', 'request_header_too_large', 'route_not_found', 'method_not_allowed']],
  [every, ['expectation_failed']],
  [every, ['rate_limited', 'payload_too_large', 'validation_failed', 'internal_error', 'response_contract_failed']],
  [protects, ['invalid_token', 'invalid_dpop_proof', 'use_dpop_nonce', 'insufficient_scope', 'authorization_unavailable']],
  [(row) => row.binding, ['provider_connection_unavailable']],
  [takesBody, ['malformed_json', 'unsupported_media_type']],
  [(row) => row.keyed, ['idempotency_key_conflict', 'idempotency_key_expired']],
  [mayDoTwice, ['acceptance_unknown']],
  [(row) => enablableOf(row) !== null, ['capability_unavailable']],
  // The provider of the owner may not offer the kind.
  [(row) => row.keyed && row.binding, ['capability_unavailable']],
  [forwarded, ['service_unavailable']],
]

/** Every problem code that can answer a request for this row, in the order of the catalogue. */
export function problemsOf(row: Route): readonly ProblemCode[] {
  const codes = new Set<ProblemCode>(row.problems)
  for (const [applies, more] of implied) if (applies(row)) for (const code of more) codes.add(code)
  return problemCodes.filter((code) => codes.has(code))
}
