/** GET /v1/webhook-subscriptions: the subscriptions of owner and client, newest first. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { type Position, position, toPage } from '@financial-agents/contract/cursor'
import type { webhooksRoutes } from '@financial-agents/contract/routes/webhooks'
import type { Dependencies } from '../dependencies.ts'
import { listSubscriptions } from '../subscription-store.ts'

export function listWebhookSubscriptions(
  dependencies: Dependencies,
): Handlers<typeof webhooksRoutes>['listWebhookSubscriptions'] {
  return async ({ query }, { principal }) => {
    const list = `webhook-subscriptions of ${principal.client_id}`
    const scope = { list, ownerId: principal.owner_id, query }
    const after = dependencies.cursors.read(scope, position, query.cursor)
    const items = await listSubscriptions(dependencies.db, principal, query.limit + 1, after)
    return toPage(items, query.limit, ({ created_at, id }) =>
      dependencies.cursors.write(scope, { created_at, id } satisfies Position),
    )
  }
}
