/**
 * The availability of kinds of operations. This file is apart from the capabilities because it needs every route, and most
 * services load their own routes only.
 */

import type { z } from 'zod'
import { type OperationKind, operationKinds } from './machine/kinds.ts'
import { type Capability, enablableOf, type Route } from './route.ts'
import { routes } from './routes.ts'
import type { operationAvailability } from './schemas/system.ts'

/** The capability that must be enabled for each kind of operation; null if none must. */
const capabilityOf = new Map(
  Object.values<Route>(routes).flatMap((row) => (row.opens === null ? [] : [[row.opens, enablableOf(row)] as const])),
)

/**
 * @param offered the kinds that the provider offers; undefined if they are not known, which fails closed
 */
export function operationAvailabilities(
  enabled: readonly Capability[],
  offered: readonly OperationKind[] | undefined,
  kinds: readonly OperationKind[] = operationKinds,
): z.output<typeof operationAvailability>[] {
  const reasonAgainst = (kind: OperationKind) => {
    const capability = capabilityOf.get(kind) ?? null
    if (capability !== null && !enabled.includes(capability)) return 'not_enabled'
    if (offered === undefined) return 'not_known'
    return offered.includes(kind) ? null : 'not_offered_by_provider'
  }
  return kinds.map((kind) => {
    const reason_code = reasonAgainst(kind)
    return { kind, available: reason_code === null, reason_code }
  })
}
