/**
 * Returns one operation of the reader. An unknown id, another reader's id and a malformed id get the same answer, 404.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { operationsRoutes } from '@financial-agents/contract/routes/operations'
import { createBatchedRead } from '@financial-agents/postgres/batched-read'
import type { Queryable } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { toOperation } from '../operation-view.ts'
import { findOperations, type OwnedId } from '../store/operations.ts'
import type { ViewRow } from '../tables.ts'

export function getOperation(db: Queryable): Handlers<typeof operationsRoutes>['getOperation'] {
  const find = createBatchedRead<OwnedId, ViewRow | undefined>({
    maxItems: 64,
    concurrency: 4,
    read: (items) => findOperations(db, items),
  })
  return async ({ params: { id } }, { principal: { owner_id, subject, client_id } }) => {
    const row = isUuid(id) ? await find({ id, owner_id, subject, client_id }) : undefined
    if (!row) throw new Problem('operation_not_found')
    return toOperation(row)
  }
}
