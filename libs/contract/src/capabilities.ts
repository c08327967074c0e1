/**
 * The public capability configuration, fail-closed: available is only what the environment enables, of the two that this
 * release can carry out. Made here so that every place that shows it shows the same.
 */

import { z } from 'zod'
import { Problem } from './problem.ts'
import type { Capability } from './route.ts'
import type { publicConfig } from './schemas/system.ts'

/** Capabilities that configuration may enable; the others stay unavailable whatever it says. */
const enablableCapabilities = ['cards.reveal', 'transfers.execute'] as const satisfies readonly Capability[]

/** What every service that shows or judges capabilities takes from the environment. */
export const capabilityConfig = z.object({
  /** Of `transfers.execute`, `cards.reveal`; comma-separated. */
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
  /** Where readers are sent for more; the reference of the gateway where it is not set. */
  DOCUMENTATION_URL: z.url({ protocol: /^https?$/ }).optional(),
})

/**
 * Refuses what the environment has not enabled. On keyed routes it is judged after the key, so that a replay is answered.
 * @throws Problem capability_unavailable
 */
export function checkCapability(enabled: readonly Capability[], capability: Capability): void {
  if (!enabled.includes(capability)) throw new Problem('capability_unavailable')
}

type Configured = z.output<typeof capabilityConfig> & { PUBLIC_BASE_URL: string }

/** Where readers are sent: the configured documentation, else the reference that the gateway shows. */
export function documentationUrl(config: Omit<Configured, 'ENABLED_CAPABILITIES'>): string {
  return config.DOCUMENTATION_URL ?? `${config.PUBLIC_BASE_URL}/docs`
}

/** `GET /v1/public-config`; also the member `capabilities` of `GET /v1/authorization`. */
export function capabilityConfiguration(config: Configured): z.output<typeof publicConfig> {
  const documentation_url = documentationUrl(config)
  const gated = (name: (typeof enablableCapabilities)[number]) =>
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
