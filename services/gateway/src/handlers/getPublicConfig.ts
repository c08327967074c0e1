/** GET /v1/public-config: the capabilities of this environment, with a reason for each that is not available. */

import { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import type { RouteOutput } from '@financial-agents/contract/route'
import type { systemRoutes } from '@financial-agents/contract/routes'
import type { GatewayConfig } from '../config.ts'

export function getPublicConfig(config: GatewayConfig): RouteOutput<(typeof systemRoutes)['getPublicConfig']> {
  return capabilityConfiguration(config)
}
