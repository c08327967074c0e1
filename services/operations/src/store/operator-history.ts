/** One operation with every projected move, for operators alone. Each move has its mover, reason and evidence. */

import type { Evidence } from '@financial-agents/bus/messages/events'
import type { OperatorMove, OperatorOperationRow } from '@financial-agents/bus/messages/operator'
import { type Queryable, statement } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { newState } from './new-state.ts'
import { type OperatorRow, operatorColumns, toOperatorOperation } from './operator-rows.ts'

const one = statement(
  'operator_operation',
  `SELECT ${operatorColumns.map((name) => `o.${name}`).join(', ')}, t.amount::text AS amount, t.currency, t.beneficiary_id
  FROM operations o LEFT JOIN transfers t ON t.operation_id = o.id WHERE o.id = $1`,
)

const moves = statement(
  'operator_history',
  `SELECT sequence, from_state AS from, event, to_state AS to, moved_by AS by, at, failure_code, reason, evidence
  FROM moves WHERE operation_id = $1 ORDER BY sequence`,
)

type MoveRow = Omit<OperatorMove, 'from' | 'at' | 'evidence'> & {
  from: NonNullable<OperatorMove['from']> | typeof newState
  at: Date
  evidence: Partial<Evidence> | null
}

/** Returns undefined if there is no such operation. */
export async function findOperatorOperation(
  db: Queryable,
  operationId: string,
): Promise<{ operation: OperatorOperationRow; history: OperatorMove[] } | undefined> {
  if (!isUuid(operationId)) return undefined
  const [row] = await db.rows<OperatorRow>(one, [operationId])
  if (!row) return undefined
  // Read after the view, so that the history reaches at least as far as the view.
  const history = await db.rows<MoveRow>(moves, [operationId])
  return { operation: toOperatorOperation(row), history: history.map(toMove) }
}

/** Returns only the four known members of the evidence. Operators never see any other member. */
function toMove({ from, at, evidence, ...row }: MoveRow): OperatorMove {
  const { read, result, observed_at, digest } = evidence ?? {}
  const known = read && result && observed_at && digest ? { read, result, observed_at, digest } : null
  return { ...row, from: from === newState ? null : from, at: at.toISOString(), evidence: known }
}
