/**
 * Reads the outcome of the owner's approval. Idempotent: if there is nothing to ask, or the provider does not answer,
 * the answer is the live row. An unknown id, another reader's id and a malformed id get the same answer, 404.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { operationsRoutes } from '@financial-agents/contract/routes/operations'
import type { Queryable } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Approvals } from '../approvals/approvals.ts'
import { toOperation } from '../operation-view.ts'
import { findOperations } from '../store/operations.ts'

export function pollOperationApproval(
  db: Queryable,
  approvals: Pick<Approvals, 'poll'>,
): Handlers<typeof operationsRoutes>['pollOperationApproval'] {
  return async ({ params: { operation_id: id } }, { principal, timeoutMs }) => {
    const { owner_id, subject, client_id } = principal
    const find = async () =>
      isUuid(id) ? (await findOperations(db, [{ id, owner_id, subject, client_id }]))[0] : undefined
    let row = await find()
    if (row?.state === 'requires_action') {
      await approvals.poll(id, timeoutMs)
      row = await find()
    }
    if (!row) throw new Problem('operation_not_found')
    return toOperation(row)
  }
}
