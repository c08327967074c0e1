/** Services area: the services, and the uses of each that the grant's effective policy allows. */

import { z } from 'zod'
import { route } from '../route.ts'
import { cursor, limit, page, pathId } from '../schemas/primitives.ts'
import { service } from '../schemas/service.ts'

const area = { area: 'services', service: 'catalog', method: 'GET', scope: 'services:read', policy: true } as const

export const servicesRoutes = {
  listServices: route({
    summary: 'List services, with the uses that the grant allows',
    ...area,
    path: '/v1/services',
    client: 'services.list',
    capability: 'services.read',
    query: z.strictObject({ cursor, limit }),
    response: page(service),
    problems: ['provider_unavailable'],
  }),
  getService: route({
    summary: 'Read a service, with the uses that the grant allows',
    ...area,
    path: '/v1/services/{service_id}',
    client: 'services.get',
    capability: 'services.read',
    params: z.strictObject({ service_id: pathId('The service.') }),
    response: service,
    problems: ['service_not_found', 'provider_unavailable'],
  }),
}
