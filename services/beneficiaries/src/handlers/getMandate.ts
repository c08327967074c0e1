/**
 * GET /v1/mandates/{mandate_id}: for the client that created the mandate and the clients that it authorises. For others
 * it does not exist.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import type { Dependencies } from '../dependencies.ts'
import { findSettledMandate } from '../mandates/settled-mandates.ts'
import { toMandate } from '../mandates/store.ts'

export function getMandate(dependencies: Dependencies): Handlers<typeof mandatesRoutes>['getMandate'] {
  return async ({ params }, { principal }) => {
    const now = dependencies.clock.now()
    const row = await findSettledMandate(dependencies, principal, params.mandate_id, now)
    if (!row) throw new Problem('mandate_not_found')
    return toMandate(row, now)
  }
}
