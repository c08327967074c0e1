/**
 * GET /v1/purchases: the purchases that the provider released for the owner, newest first, the same for every client.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { toPage } from '@financial-agents/contract/cursor'
import type { purchasesRoutes } from '@financial-agents/contract/routes/purchases'
import { z } from 'zod'
import type { Dependencies } from '../dependencies.ts'
import { newestFirst } from '../purchases-reads.ts'

const place = z.strictObject({ released_at: z.string(), id: z.string() })

export function listPurchases(dependencies: Dependencies): Handlers<typeof purchasesRoutes>['listPurchases'] {
  return async ({ query }, context) => {
    const scope = { list: 'purchases', ownerId: context.principal.owner_id, query }
    const after = dependencies.cursors.read(scope, place, query.cursor)
    const purchases = await dependencies.purchasesReads.list(context)
    const rest = after === undefined ? purchases : purchases.filter((purchase) => newestFirst(purchase, after) > 0)
    return toPage(rest, query.limit, ({ released_at, id }) =>
      dependencies.cursors.write(scope, { released_at, id } satisfies z.output<typeof place>),
    )
  }
}
