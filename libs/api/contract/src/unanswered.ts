/**
 * The problem for a client whose request may have been carried out although no answer came. If repeating is safe, the
 * client may repeat the request. Otherwise the problem says what to read or do first.
 */

import { Problem } from './problem.ts'
import type { Route } from './route.ts'

const byKey = 'Read GET /v1/operations?idempotency_key=… with the key of this request.'

/** True if repeating an unanswered request could have a second effect. */
export function mayDoTwice(row: Route): boolean {
  return row.keyed || row.unanswered !== null
}

/** The problem for a request to the row that may have been carried out. */
export function unansweredProblem(row: Route, cause: unknown): Problem {
  if (!mayDoTwice(row)) return new Problem('service_unavailable', { detail: 'No answer came in time.', cause })
  const detail = `No answer came in time; it may have been done. ${row.unanswered ?? byKey}`
  return new Problem('acceptance_unknown', { detail, cause })
}
