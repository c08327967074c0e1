/**
 * GET /v1/webhook-subscriptions/{id}. Another owner's or client's subscription gets the same answer as a missing one.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import type { Dependencies } from '../dependencies.ts'
import { findSubscription } from '../subscription-store.ts'

export function getWebhookSubscription(
  dependencies: Dependencies,
): Handlers<typeof webhooksRoutes>['getWebhookSubscription'] {
  return async ({ params }, { principal }) => {
    const subscription = await findSubscription(dependencies.db, principal, params.id)
    if (!subscription) throw new Problem('webhook_subscription_not_found')
    return subscription
  }
}
