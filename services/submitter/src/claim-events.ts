/**
 * Tells of a claim only where the outcome is not known soon after: the event of an outcome carries the claim with it, so a
 * quick provider costs one event an operation instead of two. A lost announcement is the outbox's to repeat.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { publishEvents } from './publish.ts'
import type { SubmissionRow } from './submission.ts'

export type ClaimEvents = {
  /** These rows were claimed just now. */
  claimed(rows: readonly SubmissionRow[]): void
  /** The outcome of these operations was published. */
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
