/** Suspending a mandate: from active, one at a time; it holds again where the suspension failed. */

import { routeString } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { mandateAction } from './action.ts'
import { findSuspendRefusal } from './judgement.ts'

export const mandateSuspend = mandateAction({
  action: 'suspend',
  route: routeString(mandatesRoutes.suspendMandate),
  findRefusal: findSuspendRefusal,
})
