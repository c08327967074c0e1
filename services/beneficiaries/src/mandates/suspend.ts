/**
 * Suspends an active mandate, one suspension at a time. From acceptance on, nothing more is paid under it. If the
 * operation fails, the mandate is suspended all the same, and can still be revoked.
 */

import { routeString } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { mandateAction } from './action.ts'
import { findSuspendRefusal } from './decision.ts'

export const mandateSuspend = mandateAction({
  action: 'suspend',
  route: routeString(mandatesRoutes.suspendMandate),
  findRefusal: findSuspendRefusal,
})
