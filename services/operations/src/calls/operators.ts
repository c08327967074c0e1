/**
 * What operators are told of operations, of any owner and client, and what their metrics say. The console asks, and judges
 * before who may know.
 *
 * Invariant: whatever they ask, and however long it takes, acceptance and projection keep their connections.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { serveCall } from '@financial-agents/bus/rpc'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import type { Log } from '@financial-agents/runtime/log'
import { observeUnresolved } from '../measure.ts'
import { listGrantActivity } from '../store/grant-activity.ts'
import { findOperatorOperation } from '../store/operator-history.ts'
import { listOperatorOperations } from '../store/operator-list.ts'
import { createOverview } from './overview.ts'

/** As many as one message carries with ease. */
const maxOperations = 500

export function serveOperators({ bus, db, clock, log }: { bus: Bus; db: Database; clock: Clock; log: Log }): void {
  observeUnresolved(db, clock)
  serveCall(
    bus,
    'int.operations.find-operations',
    (request) => listOperatorOperations(db, { ...request, limit: Math.min(request.limit, maxOperations) }),
    { log },
  )
  serveCall(
    bus,
    'int.operations.operation-history',
    async ({ operation_id }) => (await findOperatorOperation(db, operation_id)) ?? null,
    { log },
  )
  serveCall(bus, 'int.operations.overview', createOverview(db, clock), { log })
  serveCall(bus, 'int.operations.grant-activity', ({ grant_ids }) => listGrantActivity(db, grant_ids), { log })
}
