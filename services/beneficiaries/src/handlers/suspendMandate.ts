/**
 * POST /v1/mandates/{mandate_id}/suspend: after acceptance, payments under the mandate that are not claimed yet are
 * stopped.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { performWrite } from '@financial-agents/writes/perform'
import { mandateSuspend } from '../mandates/suspend.ts'
import { validateAction } from '../mandates/validate-action.ts'
import type { Parts } from '../parts.ts'

export function suspendMandate(parts: Parts): Handlers<typeof mandatesRoutes>['suspendMandate'] {
  return async ({ params }, context) => {
    const acceptance = await performWrite(parts, mandateSuspend, context, () =>
      validateAction(parts, context, params.mandate_id),
    )
    parts.fences.wake()
    return acceptance
  }
}
