/** GET /v1/service-connections/current returns the owner's connection, also while it is ending. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import type { Queryable } from '@financial-agents/postgres/database'
import { findConnection } from '../bindings-store.ts'
import { notConnected } from '../grant-revoke.ts'

export function getServiceConnection(db: Queryable): Handlers<typeof onboardingRoutes>['getServiceConnection'] {
  return async (_input, { principal }) => {
    const connection = await findConnection(db, principal.owner_id)
    if (connection === undefined) throw notConnected()
    return connection
  }
}
