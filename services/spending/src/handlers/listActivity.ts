/** GET /v1/activity: movements of all the owner's money, newest first, without the provider's own identifiers. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { activityRoutes } from '@financial-agents/contract/routes/activity'
import type { Dependencies } from '../dependencies.ts'

export function listActivity(dependencies: Dependencies): Handlers<typeof activityRoutes>['listActivity'] {
  return async ({ query }, context) => {
    const { owner_id: ownerId, subject } = context.principal
    const { items, next_cursor } = await dependencies.activityPages.get({ list: 'activity', ownerId, query }, (place) =>
      dependencies.activityRead.get(context, place),
    )
    return { items: items.map((item) => dependencies.activityView.show(subject, item)), next_cursor }
  }
}
