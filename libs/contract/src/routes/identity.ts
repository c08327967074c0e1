/** Identity area: display preferences of the current subject, and the browser session of the pages. */

import { route } from '../route.ts'
import { identity, session } from '../schemas/authorization.ts'

/** The rows of the area `identity`. */
export const identityRoutes = {
  getIdentity: route({
    method: 'GET',
    path: '/v1/identity',
    area: 'identity',
    service: 'authz',
    scope: 'identity:read',
    response: identity,
  }),
  getSession: route({
    method: 'GET',
    path: '/v1/session',
    area: 'identity',
    service: 'authz',
    browserSession: true,
    response: session,
  }),
}
