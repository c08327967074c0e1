/** Authorization area: the current grant and its delegated policy. */

import { route } from '../route.ts'
import { authorization } from '../schemas/authorization.ts'

export const authorizationRoutes = {
  getAuthorization: route({
    summary: 'Read the current grant and what it delegates',
    method: 'GET',
    path: '/v1/authorization',
    client: 'authorization.get',
    cli: 'whoami',
    capability: 'authorization.read',
    area: 'authorization',
    service: 'authz',
    scope: 'authorization:read',
    response: authorization,
  }),
}
