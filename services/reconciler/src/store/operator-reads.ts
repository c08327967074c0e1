/**
 * Lists the reads of one operation for operators: the time, the kind of read and the result. The provider's answer
 * itself is never included.
 */

import type { Evidence } from '@financial-agents/bus/messages/events'
import type { OperatorReads } from '@financial-agents/bus/messages/operator'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'

const shown = 100

export const operatorReads = statement(
  'operator_reads',
  `SELECT read, result, observed_at, digest FROM evidence WHERE operation_id = $1 ORDER BY number DESC LIMIT ${shown}`,
)

export const operatorReconciliation = statement(
  'operator_reconciliation',
  `SELECT r.evidence_count, r.not_found, late.outcome, late.observed_at
  FROM (SELECT $1::uuid AS id) asked
  LEFT JOIN reconciliations r ON r.operation_id = asked.id LEFT JOIN late_answers late ON late.operation_id = asked.id`,
)

const none: OperatorReads = { count: 0, not_found: 0, reads: [], late_answer: null }

/** An operation that nobody read has no reads. */
export async function listOperatorReads(db: Queryable, operationId: string): Promise<OperatorReads> {
  if (!isUuid(operationId)) return none
  type Row = {
    evidence_count: number | null
    not_found: number | null
    outcome: string | null
    observed_at: Date | null
  }
  const [row] = await db.rows<Row>(operatorReconciliation, [operationId])
  if (!row) return none
  const reads = await db.rows<Omit<Evidence, 'observed_at'> & { observed_at: Date }>(operatorReads, [operationId])
  const { outcome, observed_at } = row
  return {
    count: Math.max(row.evidence_count ?? 0, reads.length),
    not_found: row.not_found ?? 0,
    reads: reads.map((read) => ({ ...read, observed_at: read.observed_at.toISOString() })),
    late_answer: outcome === null || observed_at === null ? null : { outcome, observed_at: observed_at.toISOString() },
  }
}
