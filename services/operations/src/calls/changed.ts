/**
 * Lists the changes since a moment, page by page, oldest first. A service that follows events uses it to catch up after
 * an outage.
 */

import type { ChangedRequest, OperationStateView } from '@financial-agents/bus/messages/operation-states'
import type { Queryable } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { listChangedStateViews } from '../store/state-views.ts'

/** Views in one message, far below the message size limit. */
const maxViews = 500

export function createChanged(db: Queryable, clock: Pick<Clock, 'now'>) {
  return async (request: ChangedRequest): Promise<OperationStateView[]> =>
    listChangedStateViews(db, { ...request, limit: Math.min(request.limit, maxViews) }, clock.now())
}
