/** GET /v1/ops/operations: the operations of all clients, newest first, with the number in each state. */

import type { OperationCounts } from '@financial-agents/bus/messages/operator'
import type { Handlers } from '@financial-agents/bus/rpc'
import { position } from '@financial-agents/contract/cursor'
import type { operatorRoutes } from '@financial-agents/contract/routes/operator'
import { type OperationState, operationStates } from '@financial-agents/operation-machine/machine'
import { findOperations } from '../operations/find-operations.ts'
import { operatorOperation } from '../operations/operator-operation.ts'
import type { Parts } from '../parts.ts'
import { audited } from './audited.ts'
import { listScope, withoutAbsent } from './list-scope.ts'

export function listOperatorOperations(parts: Parts): Handlers<typeof operatorRoutes>['listOperatorOperations'] {
  const { bus, clock, cursors } = parts
  return ({ query }, context) => {
    const { cursor, limit, min_age_seconds: minAgeS, ...asked } = query
    const scope = listScope('operations', query)
    const entry = { action: 'listOperatorOperations', detail: scope.query } as const
    return audited(parts, context, entry, async () => {
      const after = cursors.read(scope, position, cursor)
      const nowMs = clock.nowMs()
      const created_until = minAgeS === undefined ? undefined : new Date(nowMs - minAgeS * 1_000).toISOString()
      const filters = withoutAbsent({ ...asked, created_until })
      const [{ found, next }, { counts }] = await Promise.all([
        findOperations({ bus, filters, context }, after, limit),
        parts.overview(context),
      ])
      const clientIds = found.map(({ row }) => row.client_id)
      const names = await parts.clientNames(clientIds, context)
      return {
        items: found.map((one) => operatorOperation(one, names, nowMs)),
        next_cursor: next && cursors.write(scope, next),
        counts: everyState(counts),
      }
    })
  }
}

function everyState(counts: OperationCounts) {
  return Object.fromEntries(operationStates.map((state) => [state, counts[state] ?? 0])) as Record<
    OperationState,
    number
  >
}
