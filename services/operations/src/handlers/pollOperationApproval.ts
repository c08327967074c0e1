/** Reads what became of the owner's approval. An id that is not the reader's, or not an id at all: one answer, 404. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { operationsRoutes } from '@financial-agents/contract/routes/operations'
import type { Queryable } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { toOperation } from '../operation-view.ts'
import { findOperations } from '../store/operations.ts'

export function createPollOperationApproval(db: Queryable): Handlers<typeof operationsRoutes>['pollOperationApproval'] {
  return async ({ params: { operation_id: id } }, { principal: { owner_id, subject, client_id } }) => {
    const [row] = isUuid(id) ? await findOperations(db, [{ id, owner_id, subject, client_id }]) : []
    if (!row) throw new Problem('operation_not_found')
    return toOperation(row)
  }
}
