/** Revoking a mandate: from whatever could still be used or restored; where it failed, nothing but revoking again is left. */

import { routeString } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { mandateAction } from './action.ts'
import { findRevokeRefusal } from './judgement.ts'

export const mandateRevoke = mandateAction({
  action: 'revoke',
  route: routeString(mandatesRoutes.revokeMandate),
  findRefusal: findRevokeRefusal,
})
