/**
 * GET /v1/public-config: the capabilities of this environment and the kinds of operations that its providers offer, with a
 * reason for each that is not available.
 */

import { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import { operationAvailabilities } from '@financial-agents/contract/operation-availability'
import type { RouteOutput } from '@financial-agents/contract/route'
import type { systemRoutes } from '@financial-agents/contract/routes'
import type { GatewayConfig } from '../config.ts'
import type { FindOfferedKinds } from '../offered-kinds.ts'

type PublicConfig = RouteOutput<(typeof systemRoutes)['getPublicConfig']>

export async function getPublicConfig(
  config: GatewayConfig,
  findOfferedKinds: FindOfferedKinds,
): Promise<PublicConfig> {
  return {
    ...capabilityConfiguration(config),
    operations: operationAvailabilities(config.ENABLED_CAPABILITIES, await findOfferedKinds()),
  }
}
