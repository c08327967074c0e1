/**
 * Publishes a claim only if its outcome takes longer than `afterMs`. The event of an outcome carries the claim too, so a quick
 * provider costs one event for each operation instead of two. The outbox repeats a lost event.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { publishEvents } from './publish.ts'
import type { SubmissionRow } from './submission.ts'

export type ClaimEvents = {
  /** Call it with the rows just claimed. */
  claimed(rows: readonly SubmissionRow[]): void
  /** Call it once the outcomes of these operations are published: their claims are not published separately. */
  overtaken(rows: readonly SubmissionRow[]): void
  stop(): void
}

export function createClaimEvents(bus: Bus, afterMs: number): ClaimEvents {
  const open = new Set<string>()
  const timers = new Set<NodeJS.Timeout>()
  return {
    claimed: (rows) => {
      if (rows.length === 0) return
      for (const row of rows) open.add(row.operation_id)
      const timer = setTimeout(() => {
        timers.delete(timer)
        publishEvents(
          bus,
          rows.filter((row) => open.delete(row.operation_id)),
        )
      }, afterMs)
      timers.add(timer)
    },
    overtaken: (rows) => {
      for (const row of rows) open.delete(row.operation_id)
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
