/**
 * GET /v1/ops/grants: the grants of all owners and clients, newest first, each with its number of operations in flight.
 */

import { ask } from '@financial-agents/bus/ask'
import type { MessageContext } from '@financial-agents/bus/headers'
import type { OperatorGrantRow } from '@financial-agents/bus/messages/operator'
import type { Handlers } from '@financial-agents/bus/rpc'
import { type Position, position, toPage } from '@financial-agents/contract/cursor'
import type { operatorRoutes } from '@financial-agents/contract/routes/operator'
import type { OperatorGrant } from '@financial-agents/contract/schemas/operator'
import type { Dependencies, Opened } from '../dependencies.ts'
import { ownerFilter } from '../operations/grants-of-owner.ts'
import { audited } from './audited.ts'
import { listScope, withoutAbsent } from './list-scope.ts'

export function listOperatorGrants(dependencies: Dependencies): Handlers<typeof operatorRoutes>['listOperatorGrants'] {
  const { bus, cursors } = dependencies
  return ({ query }, context) => {
    const { cursor, limit, owner, ...filters } = query
    const scope = listScope('grants', query)
    return audited(dependencies, context, { action: 'listOperatorGrants', detail: scope.query }, async () => {
      const after = cursors.read(scope, position, cursor) ?? null
      const ofOwner = await ownerFilter(bus, owner, context)
      if (ofOwner === null) return { items: [], next_cursor: null }
      const request = { ...withoutAbsent(filters), ...ofOwner, after, limit: limit + 1 }
      const rows = await ask(bus, 'int.authz.find-grants', request, context)
      const page = toPage(rows, limit, ({ created_at, grant_id }) =>
        cursors.write(scope, { created_at, id: grant_id } satisfies Position),
      )
      return { ...page, items: await operatorGrants(bus, page.items, context) }
    })
  }
}

export async function operatorGrants(
  bus: Opened['bus'],
  rows: readonly OperatorGrantRow[],
  context: MessageContext,
): Promise<OperatorGrant[]> {
  if (rows.length === 0) return []
  const grant_ids = rows.map((row) => row.grant_id)
  const activity = await ask(bus, 'int.operations.grant-activity', { grant_ids }, context)
  const inFlight = new Map(activity.map((one) => [one.grant_id, one.operations_in_flight]))
  return rows.map(({ grant_id, ...row }) => ({
    id: grant_id,
    ...row,
    operations_in_flight: inFlight.get(grant_id) ?? 0,
  }))
}
