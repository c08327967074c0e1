/**
 * Returns one operation with its history, for operators. An id from before the archive's horizon gets the problem
 * `record_archived` instead of null.
 */

import type { Calls } from '@financial-agents/bus/calls'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { notFound } from '../not-found.ts'
import { findOperatorOperation } from '../store/operator-history.ts'

type History = Calls['int.operations.operation-history']['answer']

export function createOperationHistory(db: Queryable, clock: Clock) {
  return async ({ operation_id }: { operation_id: string }): Promise<History> => {
    const found = await findOperatorOperation(db, operation_id)
    if (found) return found
    const problem = await notFound({ db, clock }, operation_id, 'operation_not_found')
    if (problem.code === 'record_archived') throw problem
    return null
  }
}
