/** System area: no credentials, answered by the gateway itself. */

import { route } from '../route.ts'
import { health, metadata, openapi, publicConfig } from '../schemas/system.ts'

/** The rows that the gateway itself answers. */
export const systemRoutes = {
  getHealth: route({ method: 'GET', path: '/v1/health', area: 'system', service: 'gateway', response: health }),
  getMetadata: route({ method: 'GET', path: '/v1/metadata', area: 'system', service: 'gateway', response: metadata }),
  getPublicConfig: route({
    method: 'GET',
    path: '/v1/public-config',
    area: 'system',
    service: 'gateway',
    response: publicConfig,
  }),
  getOpenapi: route({ method: 'GET', path: '/v1/openapi.json', area: 'system', service: 'gateway', response: openapi }),
}
