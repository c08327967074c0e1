/** Metrics of the reconciler: reads by result, reads that are due, and operations under review. */

import { statement } from '@financial-agents/postgres/database'
import { maxRows, observeOutboxes, outboxOf } from '@financial-agents/postgres/outbox-figures'
import { counter, observeReading } from '@financial-agents/runtime/metrics/metrics'
import type { Dependencies } from './dependencies.ts'

const reads = counter('financial_agents.reconciler.reads')

// The age of a row is that of its transition.
export const outbox = outboxOf(
  'transitions',
  `SELECT (body->>'at')::timestamptz AS since FROM transitions WHERE NOT confirmed ORDER BY republish_at`,
)

export const dueFigures = statement(
  'due_figures',
  `SELECT count(*) AS due, min(next_read_at) AS oldest FROM (
     SELECT next_read_at FROM reconciliations WHERE settled_at IS NULL AND next_read_at <= $1
     ORDER BY next_read_at LIMIT ${maxRows}) due`,
)

export const reviewFigures = statement(
  'review_figures',
  `SELECT count(*) AS reviews FROM (
     SELECT 1 FROM reconciliations WHERE review AND settled_at IS NULL LIMIT ${maxRows}) reviews`,
)

export function noteRead(result: string): void {
  reads.add({ result })
}

export function observeBacklog({ db, clock }: Dependencies): void {
  observeOutboxes({ db, clock, outboxes: [outbox] })
  observeReading({
    name: 'due reads',
    read: async () => {
      const now = clock.now()
      const [row] = await db.rows<{ due: number; oldest: Date | null }>(dueFigures, [now])
      const oldestMs = row?.oldest ? now.getTime() - row.oldest.getTime() : 0
      return [
        ['financial_agents.reconciler.reads_due', row?.due ?? 0, {}],
        ['financial_agents.reconciler.oldest_due_age', oldestMs / 1_000, {}],
      ]
    },
  })
  observeReading({
    name: 'reviews',
    read: async () => {
      const [row] = await db.rows<{ reviews: number }>(reviewFigures)
      return [['financial_agents.reconciler.under_review', row?.reviews ?? 0, {}]]
    },
  })
}
