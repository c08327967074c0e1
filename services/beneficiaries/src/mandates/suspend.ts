/** Suspends an active mandate, one suspension at a time. If the suspension fails, the mandate is active again. */

import { routeString } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { mandateAction } from './action.ts'
import { findSuspendRefusal } from './judgement.ts'

export const mandateSuspend = mandateAction({
  action: 'suspend',
  route: routeString(mandatesRoutes.suspendMandate),
  findRefusal: findSuspendRefusal,
})
