import type { RouteOutput } from '@financial-agents/contract/route'
import type { systemRoutes } from '@financial-agents/contract/routes'
import type { GatewayConfig } from '../config.ts'
import { documentationUrl } from '../pages.ts'

type PublicConfig = RouteOutput<(typeof systemRoutes)['getPublicConfig']>

/** Fail-closed: available is only what configuration enables, of the two that this release can carry out. */
export function getPublicConfig(config: GatewayConfig): PublicConfig {
  const documentation_url = documentationUrl(config)
  const enabled = new Set<string>(config.ENABLED_CAPABILITIES)
  const gated = (name: 'cards.reveal' | 'transfers.execute') =>
    enabled.has(name)
      ? { available: true, documentation_url, reason_code: null }
      : { available: false, documentation_url, reason_code: 'not_enabled' }
  const absent = { available: false, documentation_url, reason_code: 'not_in_this_release' }
  return {
    capabilities: {
      cards: { reveal: gated('cards.reveal') },
      provider_events: { inbound: absent },
      purchases: { exact_execute: absent, query_execute: absent },
      transfers: { execute: gated('transfers.execute') },
    },
  }
}
