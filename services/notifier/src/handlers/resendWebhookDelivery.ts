/** POST /v1/webhook-subscriptions/{id}/deliveries/{delivery_id}/resend: makes the delivery due now. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import { resend } from '../delivery-list.ts'
import type { Dependencies } from '../dependencies.ts'
import { findSubscription } from '../subscription-store.ts'

export function resendWebhookDelivery({
  db,
  clock,
  signingKeys,
}: Dependencies): Handlers<typeof webhooksRoutes>['resendWebhookDelivery'] {
  return async ({ params }, { principal }) => {
    if (!signingKeys) throw new Problem('webhooks_unavailable')
    const subscription = await findSubscription(db, principal, params.id)
    if (!subscription) throw new Problem('webhook_subscription_not_found')
    const delivery = await resend(db, subscription.id, params.delivery_id, clock.now())
    if (!delivery) throw new Problem('webhook_delivery_not_found')
    return delivery
  }
}
