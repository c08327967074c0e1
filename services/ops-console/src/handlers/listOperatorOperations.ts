/** GET /v1/ops/operations: the operations of all clients, newest first, with the number in each state. */

import type { OperationCounts } from '@financial-agents/bus/messages/operator'
import type { Handlers } from '@financial-agents/bus/rpc'
import { position } from '@financial-agents/contract/cursor'
import { type OperationState, operationStates } from '@financial-agents/contract/machine'
import type { operatorRoutes } from '@financial-agents/contract/routes/operator'
import type { Dependencies } from '../dependencies.ts'
import { findOperations } from '../operations/find-operations.ts'
import { grantsOfOwner } from '../operations/grants-of-owner.ts'
import { operatorOperation } from '../operations/operator-operation.ts'
import { audited } from './audited.ts'
import { listScope, withoutAbsent } from './list-scope.ts'

export function listOperatorOperations(
  dependencies: Dependencies,
): Handlers<typeof operatorRoutes>['listOperatorOperations'] {
  const { bus, clock, cursors } = dependencies
  return ({ query }, context) => {
    const { cursor, limit, min_age_seconds: minAgeS, max_age_seconds: maxAgeS, same_owner_as, owner, ...asked } = query
    const scope = listScope('operations', query)
    const entry = { action: 'listOperatorOperations', detail: scope.query } as const
    return audited(dependencies, context, entry, async () => {
      const after = cursors.read(scope, position, cursor)
      const nowMs = clock.nowMs()
      const ago = (ageS: number | undefined) => ageS && new Date(nowMs - ageS * 1_000).toISOString()
      const created_from = latest(asked.created_from, ago(maxAgeS))
      const created_until = earliest(asked.created_until, ago(minAgeS))
      const of_owner_of = await grantsOfOwner(dependencies.bus, { same_owner_as, owner }, context)
      const filters = withoutAbsent({ ...asked, of_owner_of, created_from, created_until })
      const [{ found, next }, { counts }] = await Promise.all([
        findOperations({ bus, filters, context }, after, limit),
        dependencies.overview(context),
      ])
      const clientIds = found.map(({ row }) => row.client_id)
      const names = await dependencies.clientNames(clientIds, context)
      return {
        items: found.map((one) => operatorOperation(one, names, nowMs)),
        next_cursor: next && cursors.write(scope, next),
        counts: everyState(counts),
      }
    })
  }
}

const byTime = (a: string, b: string) => Date.parse(a) - Date.parse(b)
const known = (times: (string | 0 | undefined)[]) => times.filter((time) => typeof time === 'string').toSorted(byTime)
const latest = (...times: (string | 0 | undefined)[]) => known(times).at(-1)
const earliest = (...times: (string | 0 | undefined)[]) => known(times)[0]

function everyState(counts: OperationCounts) {
  return Object.fromEntries(operationStates.map((state) => [state, counts[state] ?? 0])) as Record<
    OperationState,
    number
  >
}
