/**
 * Builds the public capability configuration, which fails closed: a capability is available only if the environment
 * enables it and this release supports it. All places that show the configuration use this module.
 */

import { z } from 'zod'
import { Problem } from './problem.ts'
import { type Capability, enablableCapabilities } from './route.ts'
import type { publicConfig } from './schemas/system.ts'

/** The variables of every service that shows or checks capabilities. */
export const capabilityConfig = z.object({
  /** A comma-separated list of `transfers.execute` and `cards.reveal`. */
  ENABLED_CAPABILITIES: z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    )
    .pipe(z.array(z.enum(enablableCapabilities)))
    .default([]),
  /** The address of the documentation; by default the gateway's own reference. */
  DOCUMENTATION_URL: z.url({ protocol: /^https?$/ }).optional(),
})

/**
 * Refuses a capability that the environment has not enabled. Keyed routes check this after the key's result, so that a
 * replay is answered.
 * @throws Problem capability_unavailable
 */
export function checkCapability(enabled: readonly Capability[], capability: Capability): void {
  if (!enabled.includes(capability)) throw new Problem('capability_unavailable')
}

type Configured = z.output<typeof capabilityConfig> & { PUBLIC_BASE_URL: string }

/** The address of the documentation: the configured one, or the gateway's own reference. */
export function documentationUrl(config: Omit<Configured, 'ENABLED_CAPABILITIES'>): string {
  return config.DOCUMENTATION_URL ?? `${config.PUBLIC_BASE_URL}/docs`
}

/** The member `capabilities` of `GET /v1/public-config` and of `GET /v1/authorization`. */
export function capabilityConfiguration(config: Configured): Pick<z.output<typeof publicConfig>, 'capabilities'> {
  const documentation_url = documentationUrl(config)
  const gated = (name: Capability) =>
    config.ENABLED_CAPABILITIES.includes(name)
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
