/**
 * The library's grants are our rows. The library finds them while they are active and never writes them. If it ends
 * one, everything that belongs to the end of a grant happens, but a suspended grant stays suspended.
 */

import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import { currentContext } from '@financial-agents/runtime/context'
import { type Adapter, Provider } from 'oidc-provider'
import { revokeGrantForClient } from '../../store/grant-status.ts'
import { findHumanGrantById } from '../../store/human-grants.ts'
import { grantPayload, isUsable, rememberGrant } from '../grant-of-request.ts'

export function grantAdapter(dependencies: { db: Database; clock: Clock; baseUrl: string }): Partial<Adapter> {
  const { db, clock, baseUrl } = dependencies
  return {
    find: async (grantId) => {
      const grant = isUuid(grantId) ? await findHumanGrantById(db, grantId) : undefined
      if (!grant) return undefined
      if (Provider.ctx) rememberGrant(Provider.ctx, grant)
      return isUsable(grant, clock.now()) ? grantPayload(grant, baseUrl) : undefined
    },
    upsert: async () => {},
    // The library ends a grant if its client requests that, or if a one-use artifact of the grant is used twice.
    destroy: async (grantId) => {
      const asked = Provider.ctx?.oidc.route === 'revocation'
      const why = {
        reason: asked ? 'revoked_by_client' : 'code_replayed',
        by: asked ? 'client' : 'system',
        request_id: currentContext()?.requestId ?? null,
      } as const
      await revokeGrantForClient(db, grantId, why, clock.now())
    },
  }
}
