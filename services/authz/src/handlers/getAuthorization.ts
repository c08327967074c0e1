/**
 * GET /v1/authorization: the grant of the request, its current permissions, and the capabilities of this environment.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { capabilityConfiguration } from '@financial-agents/contract/capabilities'
import { Problem } from '@financial-agents/contract/problem'
import type { authorizationRoutes } from '@financial-agents/contract/routes/authorization'
import type { Database } from '@financial-agents/postgres/database'
import type { Clock } from '@financial-agents/runtime/clock'
import { findDelegation } from '../store/delegations.ts'

type Capabilities = ReturnType<typeof capabilityConfiguration>['capabilities']

export function getAuthorization(dependencies: {
  db: Database
  clock: Clock
  capabilities: Capabilities
}): Handlers<typeof authorizationRoutes>['getAuthorization'] {
  const { db, clock, capabilities } = dependencies
  return async (_input, { principal }) => {
    const found = await findDelegation(db, principal.grant_id, clock.now())
    if (found?.owner_id !== principal.owner_id || found.registration.client_id !== principal.client_id)
      throw new Problem('invalid_token')
    const { registration } = found
    return {
      grant: {
        id: found.grant_id,
        status: found.status,
        created_at: found.created_at.toISOString(),
        expires_at: found.expires_at?.toISOString() ?? null,
        scopes: found.scopes,
      },
      client: { id: registration.client_id, name: registration.name, profile: registration.profile },
      policy: found.policy,
      capabilities,
    }
  }
}
