/** One operation of the reader's. An id that is not ours, not the reader's or not an id at all: one answer, 404. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { operationsRoutes } from '@financial-agents/contract/routes/operations'
import type { Queryable } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import { toOperation } from '../operation-view.ts'
import { findOperation } from '../store/operations.ts'

export function createGetOperation(db: Queryable): Handlers<typeof operationsRoutes>['getOperation'] {
  return async ({ params }, { principal }) => {
    const row = isUuid(params.id) ? await findOperation(db, params.id, principal) : undefined
    if (!row) throw new Problem('operation_not_found')
    return toOperation(row)
  }
}
