/**
 * POST /v1/mandates/{mandate_id}/suspend: after acceptance, payments under the mandate that are not claimed yet are
 * stopped.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { performWrite } from '@financial-agents/writes/perform'
import type { Dependencies } from '../dependencies.ts'
import { mandateSuspend } from '../mandates/suspend.ts'
import { validateAction } from '../mandates/validate-action.ts'

export function suspendMandate(dependencies: Dependencies): Handlers<typeof mandatesRoutes>['suspendMandate'] {
  return async ({ params }, context) => {
    const acceptance = await performWrite(dependencies, mandateSuspend, context, () =>
      validateAction(dependencies, context, params.mandate_id),
    )
    dependencies.fences.wake()
    return acceptance
  }
}
