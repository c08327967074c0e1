/**
 * POST /v1/mandates/{mandate_id}/revoke: with the owner's confirmation. Nothing is submitted under the mandate
 * afterwards.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { performWrite } from '@financial-agents/writes/perform'
import type { Dependencies } from '../dependencies.ts'
import { confirmationOf } from '../mandates/confirmation.ts'
import { mandateRevoke } from '../mandates/revoke.ts'
import { validateAction } from '../mandates/validate-action.ts'

export function revokeMandate(dependencies: Dependencies): Handlers<typeof mandatesRoutes>['revokeMandate'] {
  return async ({ params }, context) => {
    const acceptance = await performWrite(dependencies, mandateRevoke, context, async () => ({
      ...(await validateAction(dependencies, context, params.mandate_id)),
      confirmation: confirmationOf('mandate_revoke', context),
    }))
    dependencies.fences.wake()
    return acceptance
  }
}
