/** GET /v1/purchases/{purchase_id}. Another owner's purchase gets the same answer as a missing one. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { purchasesRoutes } from '@financial-agents/contract/routes/purchases'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Dependencies } from '../dependencies.ts'

export function getPurchase(dependencies: Dependencies): Handlers<typeof purchasesRoutes>['getPurchase'] {
  return async ({ params }, context) => {
    if (!isUuid(params.purchase_id)) throw new Problem('purchase_not_found')
    const wanted = params.purchase_id.toLowerCase()
    const purchase = (await dependencies.purchasesReads.list(context)).find(({ id }) => id === wanted)
    if (!purchase) throw new Problem('purchase_not_found')
    return purchase
  }
}
