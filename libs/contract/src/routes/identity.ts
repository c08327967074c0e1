/** Identity area: display preferences of the current subject, and the browser session of the pages. */

import { route } from '../route.ts'
import { identity, session } from '../schemas/authorization.ts'

/** The rows of the area `identity`. */
export const identityRoutes = {
  getIdentity: route({
    summary: 'Read how the owner wants to be shown things',
    description:
      'Display preferences alone; nothing that proves who somebody is. The subject is pairwise: another client knows the owner by another one.',
    method: 'GET',
    path: '/v1/identity',
    area: 'identity',
    service: 'authz',
    scope: 'identity:read',
    response: identity,
  }),
  getSession: route({
    summary: "Read the browser's session of the pages",
    description:
      'Answers for the session cookie, to pages of this origin alone: no other origin may read it. Not for API clients.',
    method: 'GET',
    path: '/v1/session',
    area: 'identity',
    service: 'authz',
    browserSession: true,
    response: session,
  }),
}
