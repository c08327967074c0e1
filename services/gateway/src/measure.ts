/**
 * Requests as operators see them: how many, how long, with which status, by the names of the route table.
 *
 * Invariant: each request that began is counted once; one whose client went away before its answer counts as 499, whatever the
 * answer would have been.
 */

import { counter, histogram, observe } from '@financial-agents/runtime/metrics/metrics'
import type { Exchange } from './exchange.ts'

const durations = histogram('http.server.request.duration')
const problems = counter('financial_agents.gateway.problems')
let active = 0

/** A request has begun. */
export function noteBegun(): void {
  active += 1
}

/** It is answered, or was left. */
export function noteAnswered(exchange: Exchange, status: number): void {
  if (exchange.measured) return
  exchange.measured = true
  active -= 1
  durations.record((performance.now() - exchange.startedAt) / 1_000, {
    'http.route': exchange.name,
    'http.request.method': exchange.method,
    'http.response.status_code': String(status),
  })
}

/** It is refused, or failed. */
export function noteProblem(code: string): void {
  problems.add({ code })
}

/** Tells how many are under way. */
export function observeActive(): void {
  observe(() => [['http.server.active_requests', active, {}]])
}
