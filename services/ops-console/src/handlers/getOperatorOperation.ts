/**
 * GET /v1/ops/operations/{operation_id}: one operation with every move since its acceptance, the evidence for each
 * move, and its notifications.
 */

import { ask } from '@financial-agents/bus/ask'
import type { OperatorMove } from '@financial-agents/bus/messages/operator'
import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { operatorRoutes } from '@financial-agents/contract/routes/operator'
import type { OperatorOperationDetail } from '@financial-agents/contract/schemas/operator'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Dependencies } from '../dependencies.ts'
import { findReviews } from '../operations/find-operations.ts'
import { operatorOperation } from '../operations/operator-operation.ts'
import { audited } from './audited.ts'

export function getOperatorOperation(
  dependencies: Dependencies,
): Handlers<typeof operatorRoutes>['getOperatorOperation'] {
  return ({ params }, context) => {
    const entry = { action: 'getOperatorOperation', detail: params } as const
    return audited(dependencies, context, entry, () => read(dependencies, params.operation_id, context))
  }
}

async function read(
  { bus, clock, clientNames }: Dependencies,
  operation_id: string,
  context: HandlerContext,
): Promise<OperatorOperationDetail> {
  if (!isUuid(operation_id)) throw new Problem('operation_not_found')
  const known = await ask(bus, 'int.operations.operation-history', { operation_id }, context)
  if (!known) throw new Problem('operation_not_found')
  const { operation: row, history } = known
  const [reviews, names, webhook_deliveries, { reads: items, ...reads }] = await Promise.all([
    findReviews(bus, [row], context),
    clientNames([row.client_id], context),
    ask(bus, 'int.notifier.operation-deliveries', { operation_id }, context),
    ask(bus, 'int.reconciler.reads', { operation_id }, context),
  ])
  return {
    ...operatorOperation({ row, review: reviews.get(row.operation_id) }, names, clock.nowMs()),
    history: history.map(toHistoryEntry),
    webhook_deliveries,
    reads: { ...reads, items },
  }
}

function toHistoryEntry({ sequence, from, to, by, at, reason, failure_code, evidence }: OperatorMove) {
  return { sequence, from, to, by, at, reason: reason ?? failure_code, evidence }
}
