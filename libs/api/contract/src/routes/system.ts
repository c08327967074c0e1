/** System area: routes without credentials that the gateway answers itself. */

import { route } from '../route.ts'
import { health, metadata, openapi, publicConfig } from '../schemas/system.ts'

export const systemRoutes = {
  getHealth: route({
    summary: 'Read the health of this gateway',
    description:
      '`degraded` means that protected requests are refused for now. The gateway asks no other service, so frequent polling is cheap.',
    method: 'GET',
    path: '/v1/health',
    client: 'system.health',
    cli: 'doctor',
    area: 'system',
    service: 'gateway',
    response: health,
  }),
  getMetadata: route({
    summary: 'Read the metadata of this environment',
    method: 'GET',
    path: '/v1/metadata',
    client: 'system.metadata',
    cli: 'doctor',
    area: 'system',
    service: 'gateway',
    response: metadata,
  }),
  getPublicConfig: route({
    summary: 'List the capabilities of this environment',
    description:
      'All capabilities are unavailable until the environment enables them. `GET /v1/services` says which operations the provider of an owner offers; another one is refused with `capability_unavailable`.',
    method: 'GET',
    path: '/v1/public-config',
    client: 'system.publicConfig',
    area: 'system',
    service: 'gateway',
    response: publicConfig,
  }),
  getOpenapi: route({
    summary: 'This document',
    description: 'It changes only with a release: ask again with `If-None-Match`.',
    method: 'GET',
    path: '/v1/openapi.json',
    client: 'system.openapi',
    area: 'system',
    service: 'gateway',
    maxAgeS: 300,
    response: openapi,
  }),
}
