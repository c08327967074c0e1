/**
 * The state of an outbox for the metrics: the number of waiting rows, and the age of the oldest. One statement reads
 * them from a partial index of the waiting rows. It reads at most `maxRows` rows, so that it stays cheap in an outage.
 */

import type { Clock } from '@financial-agents/runtime/clock'
import { type Figure, observeReading } from '@financial-agents/runtime/metrics/metrics'
import { type Queryable, type Statement, statement } from './database.ts'

/** The number of rows up to which waiting rows are counted. */
export const maxRows = 10_000

/** An outbox of one schema. */
export type Outbox = {
  /** The outbox's name in the metrics, from a closed set. */
  outbox: string
  statement: Statement
}

/**
 * Defines an outbox by the statement that finds its waiting rows.
 *
 * @param waiting SELECT with one column `since`, answered by a partial index. Its order decides which rows count if
 *   there are too many
 */
export function outboxOf(outbox: string, waiting: string): Outbox {
  const name = `outbox_figures_${outbox.replaceAll(' ', '_')}`
  const text = `SELECT count(*) AS pending, min(since) AS oldest FROM (${waiting} LIMIT ${maxRows}) waiting`
  return { outbox, statement: statement(name, text) }
}

/** Reports the outboxes whenever metrics are collected, as long as the process runs. */
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
 * Reports an outbox whose rows have no time. A row's age counts from the first time that this process saw its key.
 * @param list returns the keys of the waiting rows, at most `maxRows`
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

/** If the oldest row lies in the future, its age is 0. */
export function outboxFigures(outbox: string, pending: number, oldestMs: number): readonly Figure[] {
  return [
    ['financial_agents.outbox.pending', pending, { outbox }],
    ['financial_agents.outbox.oldest_age', Math.max(0, oldestMs) / 1_000, { outbox }],
  ]
}
