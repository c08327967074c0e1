/** System area: routes without credentials that the gateway answers itself. */

import { route } from '../route.ts'
import { health, metadata, openapi, publicConfig } from '../schemas/system.ts'

/** The rows of the area `system`. */
export const systemRoutes = {
  getHealth: route({
    summary: 'Whether this gateway can serve protected requests',
    description:
      'It asks nobody, so it may be asked often. `degraded` says that protected requests are refused for now.',
    method: 'GET',
    path: '/v1/health',
    area: 'system',
    service: 'gateway',
    response: health,
  }),
  getMetadata: route({
    summary: 'What this environment is, and where it is described',
    method: 'GET',
    path: '/v1/metadata',
    area: 'system',
    service: 'gateway',
    response: metadata,
  }),
  getPublicConfig: route({
    summary: 'Which capabilities are available, and why one is not',
    description: 'All capabilities are unavailable until the environment enables them.',
    method: 'GET',
    path: '/v1/public-config',
    area: 'system',
    service: 'gateway',
    response: publicConfig,
  }),
  getOpenapi: route({
    summary: 'This document',
    description: 'It changes only with a release: ask again with `If-None-Match`.',
    method: 'GET',
    path: '/v1/openapi.json',
    area: 'system',
    service: 'gateway',
    maxAgeS: 300,
    response: openapi,
  }),
}
