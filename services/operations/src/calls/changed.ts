/** What changed since a moment, page by page, oldest first: how who follows events catches up after being away. */

import type { ChangedRequest, OperationStateView } from '@financial-agents/bus/messages/operation-states'
import type { Queryable } from '@financial-agents/postgres/database'
import { listChangedStateViews } from '../store/state-views.ts'

/** As many as one message carries with ease. */
const maxViews = 500

export function createChanged(db: Queryable) {
  return async (request: ChangedRequest): Promise<OperationStateView[]> =>
    listChangedStateViews(db, { ...request, limit: Math.min(request.limit, maxViews) })
}
