/** Identity area: display preferences of the current subject, and the browser session of the pages. */

import { route } from '../route.ts'
import { identity, session } from '../schemas/authorization.ts'

export const identityRoutes = {
  getIdentity: route({
    summary: 'Read the display preferences of the owner',
    description:
      'Display preferences only. Nothing here proves the identity of the owner. The subject is pairwise: each client sees a different subject for the same owner.',
    method: 'GET',
    path: '/v1/identity',
    client: 'identity.get',
    cli: 'whoami',
    capability: 'identity.read',
    area: 'identity',
    service: 'authz',
    scope: 'identity:read',
    response: identity,
  }),
  getSession: route({
    summary: 'Read the browser session of the pages',
    description:
      'Answers by the session cookie, for pages of this origin only. No other origin may read it. Not for API clients.',
    method: 'GET',
    path: '/v1/session',
    client: null,
    area: 'identity',
    service: 'authz',
    browserSession: true,
    response: session,
  }),
}
