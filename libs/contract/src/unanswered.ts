/**
 * What a client hears of a request that may have been carried out although no answer came. It may repeat what is safe to repeat;
 * otherwise it is told what to read, or to do, first.
 */

import { Problem } from './problem.ts'
import type { Route } from './route.ts'

const byKey = 'Read GET /v1/operations?idempotency_key=… with the key of this request.'

/** Whether a second request, sent because the first got no answer, could do a second thing. */
export function mayDoTwice(row: Route): boolean {
  return row.keyed || row.unanswered !== null
}

/** The problem of a request for the row that may have been carried out. */
export function unansweredProblem(row: Route, cause: unknown): Problem {
  if (!mayDoTwice(row)) return new Problem('service_unavailable', { detail: 'No answer came in time.', cause })
  const detail = `No answer came in time; it may have been done. ${row.unanswered ?? byKey}`
  return new Problem('acceptance_unknown', { detail, cause })
}
