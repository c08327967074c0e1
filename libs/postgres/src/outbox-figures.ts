/**
 * What waits in an outbox, for the metrics: how many rows, and since when the oldest. One statement over an index that holds
 * nothing else, and never more than `maxRows` of it: an outage must not make looking at it dear.
 */

import type { Clock } from '@financial-agents/runtime/clock'
import { type Figure, observeReading } from '@financial-agents/runtime/metrics/metrics'
import { type Queryable, type Statement, statement } from './database.ts'

/** As far as rows are counted. */
export const maxRows = 10_000

/** An outbox of one schema. */
export type Outbox = {
  /** Its name in the metrics, of a closed set. */
  outbox: string
  statement: Statement
}

/**
 * @param waiting SELECT with one column `since`, which a partial index answers; its order says whose rows are looked at where
 * there are too many
 */
export function outboxOf(outbox: string, waiting: string): Outbox {
  const name = `outbox_figures_${outbox.replaceAll(' ', '_')}`
  const text = `SELECT count(*) AS pending, min(since) AS oldest FROM (${waiting} LIMIT ${maxRows}) waiting`
  return { outbox, statement: statement(name, text) }
}

/** Tells them whenever somebody collects metrics, for as long as the process runs. */
export function observeOutboxes(parts: { db: Queryable; clock: Clock; outboxes: readonly Outbox[] }): void {
  for (const { outbox, statement: text } of parts.outboxes)
    observeReading({
      name: `outbox ${outbox}`,
      read: async () => {
        const [row] = await parts.db.rows<{ pending: number; oldest: Date | null }>(text)
        return outboxFigures(outbox, row?.pending ?? 0, row?.oldest ? parts.clock.nowMs() - row.oldest.getTime() : 0)
      },
    })
}

/**
 * Likewise where the rows do not say since when they wait: by what this process has seen of them.
 * @param list the keys of rows that wait, at most `maxRows`
 */
export function observeUnconfirmed(outbox: string, list: () => Promise<readonly string[]>): void {
  let seenAtMs = new Map<string, number>()
  observeReading({
    name: `outbox ${outbox}`,
    read: async () => {
      const keys = await list()
      const now = performance.now()
      seenAtMs = new Map(keys.map((key) => [key, seenAtMs.get(key) ?? now]))
      const oldest = seenAtMs.values().reduce((least, at) => Math.min(least, at), now)
      return outboxFigures(outbox, keys.length, now - oldest)
    },
  })
}

/** What is told of an outbox; one whose oldest row is of the future has an age of 0. */
export function outboxFigures(outbox: string, pending: number, oldestMs: number): readonly Figure[] {
  return [
    ['financial_agents.outbox.pending', pending, { outbox }],
    ['financial_agents.outbox.oldest_age', Math.max(0, oldestMs) / 1_000, { outbox }],
  ]
}
