/**
 * Revokes a mandate from any state in which it could be used or restored. After a failed revocation, the only legal
 * action is another revocation.
 */

import { routeString } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { mandateAction } from './action.ts'
import { findRevokeRefusal } from './decision.ts'

export const mandateRevoke = mandateAction({
  action: 'revoke',
  route: routeString(mandatesRoutes.revokeMandate),
  findRefusal: findRevokeRefusal,
})
