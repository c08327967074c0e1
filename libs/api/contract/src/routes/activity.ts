/** Activity area: the owner's cash movements, sanitised, newest first. */

import { route } from '../route.ts'
import { activityItem, activityQuery } from '../schemas/activity.ts'
import { page } from '../schemas/primitives.ts'

export const activityRoutes = {
  listActivity: route({
    summary: 'List movements of money, newest first',
    description:
      'Sanitised: without account or card numbers, and without provider data. `from` is inclusive, `to` is exclusive.',
    method: 'GET',
    path: '/v1/activity',
    client: 'activity.list',
    capability: 'activity.read',
    area: 'activity',
    service: 'spending',
    scope: 'activity:read',
    binding: true,
    query: activityQuery,
    response: page(activityItem),
    problems: ['provider_unavailable'],
  }),
}
