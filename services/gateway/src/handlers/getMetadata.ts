/** GET /v1/metadata: the addresses of this environment and of its documentation. */

import { documentationUrl } from '@financial-agents/contract/capabilities'
import type { RouteOutput } from '@financial-agents/contract/route'
import type { systemRoutes } from '@financial-agents/contract/routes'
import type { GatewayConfig } from '../config.ts'

type Metadata = RouteOutput<(typeof systemRoutes)['getMetadata']>

export function getMetadata(config: GatewayConfig): Metadata {
  const baseUrl = config.PUBLIC_BASE_URL
  return {
    name: 'Financial Agents API',
    version: '1.0.0',
    environment: config.ENVIRONMENT,
    issuer: baseUrl,
    resource: baseUrl,
    documentation_url: documentationUrl(config),
    openapi_url: `${baseUrl}/v1/openapi.json`,
  }
}
