/** Where operations stand for their clients now: who notifies of a state asks whether it can be read yet. */

import type { OperationStateView } from '@financial-agents/bus/messages/operation-states'
import type { Queryable } from '@financial-agents/postgres/database'
import { findStateViews } from '../store/state-views.ts'

export function createStates(db: Queryable) {
  return async ({ operation_ids }: { operation_ids: string[] }): Promise<OperationStateView[]> =>
    findStateViews(db, operation_ids)
}
