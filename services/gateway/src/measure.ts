/**
 * The metrics of requests: their number, duration and status, by the names of the route table.
 *
 * Invariant: each request that began is counted once. If the client left before its answer, the request counts as 499,
 * whatever the answer was.
 */

import { counter, histogram, upDown } from '@financial-agents/runtime/metrics/metrics'

const durations = histogram('http.server.request.duration')
const problems = counter('financial_agents.gateway.problems')
const active = upDown('http.server.active_requests')

/** Counts a request that has begun. */
export function noteBegun(): void {
  active.add({}, 1)
}

/** A request, and if it was counted. `startedAt` is monotonic, in ms. */
type Measured = { readonly name: string; readonly method: string; readonly startedAt: number; measured?: boolean }

/** Counts a request that was answered or abandoned. */
export function noteAnswered(exchange: Measured, status: number): void {
  if (exchange.measured) return
  exchange.measured = true
  active.add({}, -1)
  durations.record((performance.now() - exchange.startedAt) / 1_000, {
    'http.route': exchange.name,
    'http.request.method': exchange.method,
    'http.response.status_code': String(status),
  })
}

/** Counts a request that was refused or failed. */
export function noteProblem(code: string): void {
  problems.add({ code })
}

/** Reports the number of current requests, which is 0 at the start. */
export function observeActive(): void {
  active.add({}, 0)
}
