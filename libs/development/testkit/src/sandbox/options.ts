/** The options that `dev` and the published sandbox share. */

import { enablableCapabilities } from '@financial-agents/contract/route'
import { UsageError } from '@financial-agents/runtime/command'

export const enableMeaning = [
  '--enable <capability>,…',
  `turn on what is off by default: ${enablableCapabilities.join(', ')}`,
] as const

export const ownerMeaning = [
  '--owner-consents',
  'an owner signs in, consents, confirms and approves by itself',
] as const

/** @throws UsageError unless it is a port, or 0 where that is allowed */
export function portOf(given: string, lowest = 1): number {
  const port = Number(given)
  if (!/^\d+$/.test(given) || port < lowest || port > 65_535)
    throw new UsageError(`--port ${given}: give ${lowest} to 65535`)
  return port
}

/** @throws UsageError for a capability that cannot be enabled */
export function capabilitiesOf(given: string): string[] {
  const enabled = given.split(',').filter((name) => name !== '')
  const unknown = enabled.find((name) => !enablableCapabilities.some((capability) => capability === name))
  if (unknown !== undefined)
    throw new UsageError(`--enable ${unknown}: give any of ${enablableCapabilities.join(', ')}`)
  return enabled
}
