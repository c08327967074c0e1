/** GET /v1/activity: movements of all the owner's money, newest first, without the provider's own identifiers. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { activityRoutes } from '@financial-agents/contract/routes/activity'
import type { Parts } from '../parts.ts'

export function listActivity(parts: Parts): Handlers<typeof activityRoutes>['listActivity'] {
  return async ({ query }, context) => {
    const { owner_id: ownerId, subject } = context.principal
    const { items, next_cursor } = await parts.activityPages.get({ list: 'activity', ownerId, query }, (place) =>
      parts.activityRead.get(context, place),
    )
    return { items: items.map((item) => parts.activityView.show(subject, item)), next_cursor }
  }
}
