/** GET /v1/webhook-subscriptions/{id}/deliveries: newest first, kept for thirty days. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { type Position, position, toPage } from '@financial-agents/contract/cursor'
import { Problem } from '@financial-agents/contract/problem'
import type { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import { listDeliveries } from '../delivery-list.ts'
import type { Dependencies } from '../dependencies.ts'
import { findSubscription } from '../subscription-store.ts'

export function listWebhookDeliveries(
  dependencies: Dependencies,
): Handlers<typeof webhooksRoutes>['listWebhookDeliveries'] {
  return async ({ params, query }, { principal }) => {
    const subscription = await findSubscription(dependencies.db, principal, params.id)
    if (!subscription) throw new Problem('webhook_subscription_not_found')
    const scope = { list: `webhook-deliveries of ${subscription.id}`, ownerId: principal.owner_id, query }
    const after = dependencies.cursors.read(scope, position, query.cursor)
    const items = await listDeliveries(dependencies.db, subscription.id, query.limit + 1, after)
    return toPage(items, query.limit, ({ created_at, id }) =>
      dependencies.cursors.write(scope, { created_at, id } satisfies Position),
    )
  }
}
