/**
 * DELETE /v1/webhook-subscriptions/{id}: no delivery starts for it afterwards. A delivery under way may still arrive.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import type { Dependencies } from '../dependencies.ts'
import { deleteSubscription } from '../subscription-store.ts'

export function deleteWebhookSubscription(
  dependencies: Dependencies,
): Handlers<typeof webhooksRoutes>['deleteWebhookSubscription'] {
  return async ({ params }, { principal }) => {
    if (!(await deleteSubscription(dependencies.db, principal, params.id)))
      throw new Problem('webhook_subscription_not_found')
    return null
  }
}
