/**
 * Computes the requirements and the availability of a capability from the rows of its routes and from the public
 * capability configuration.
 *
 * Invariant: `granted` promises no more than this grant's requests are allowed.
 */

import { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import type { OperationKind } from '@financial-agents/contract/kinds'
import { operationAvailabilities } from '@financial-agents/contract/operation-availability'
import { type Route, scopesOf } from '@financial-agents/contract/route'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Service } from '@financial-agents/contract/schemas/service'
import type { CapabilityRoutes } from './own-services.ts'

/** The part of a grant that decides capabilities. A handler's context is one. */
export type Delegated = { scopes: readonly string[]; policy: GrantPolicy }

/** The caller of a list of capabilities: a grant, and the kinds of operations that the owner's provider offers. */
export type Caller = Delegated & { offered: readonly OperationKind[] }

/** Returns capabilities as this grant has them. */
export type ShowCapabilities = (capabilities: CapabilityRoutes, caller: Caller) => Service['capabilities']

/** A scope without routes. In this release the authorization server refuses every request for it. */
const withoutRouteScope = 'purchases:execute'

export function createShowCapabilities(config: Parameters<typeof capabilityConfiguration>[0]): ShowCapabilities {
  const configured = new Map<string, { available: boolean; reason_code: string | null }>(
    Object.entries(capabilityConfiguration(config).capabilities).flatMap(([area, members]) =>
      Object.entries(members).map(([member, availability]) => [`${area}.${member}`, availability] as const),
    ),
  )
  return (capabilities, { scopes, policy, offered }) =>
    Object.entries(capabilities).map(([name, rows]) => {
      const opened = rows.flatMap(({ opens }) => opens ?? [])
      const operations = operationAvailabilities(config.ENABLED_CAPABILITIES, offered, opened)
      const ofEnvironment = configured.get(name) ?? { available: true, reason_code: null }
      const nothingOffered = operations.length > 0 && operations.every((operation) => !operation.available)
      const { available, reason_code } =
        ofEnvironment.available && nothingOffered
          ? { available: false, reason_code: 'not_offered_by_provider' }
          : ofEnvironment
      const required_scopes = rows.length === 0 ? [withoutRouteScope] : [...new Set(rows.flatMap(scopesOf))]
      const granted =
        available &&
        required_scopes.every((scope) => scopes.includes(scope)) &&
        !rows.some((row) => isExcluded(row, policy))
      return { name, available, reason_code, required_scopes, granted, operations }
    })
}

/** True if a limit of zero excludes the route. Limits apply only to writes that the policy validates. */
function isExcluded(row: Route, { ceilings }: GrantPolicy): boolean {
  const isZero = (money: { amount: string } | null) => money !== null && !/[1-9]/.test(money.amount)
  return row.keyed && row.policy && (isZero(ceilings.per_payment) || isZero(ceilings.per_day))
}
