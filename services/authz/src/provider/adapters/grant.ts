/**
 * The library's grants are our rows: found while they are active, never written by it, ended by it with everything that
 * ending a grant means.
 */

import type { Database } from '@financial-agents/postgres/database'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Clock } from '@financial-agents/runtime/clock'
import { currentContext } from '@financial-agents/runtime/context'
import { type Adapter, Provider } from 'oidc-provider'
import { revokeGrant } from '../../store/grant-status.ts'
import { findHumanGrantById } from '../../store/human-grants.ts'
import { grantPayload, isUsable, rememberGrant } from '../grant-of-request.ts'

export function grantAdapter(parts: { db: Database; clock: Clock; baseUrl: string }): Partial<Adapter> {
  const { db, clock, baseUrl } = parts
  return {
    find: async (grantId) => {
      const grant = isUuid(grantId) ? await findHumanGrantById(db, grantId) : undefined
      if (!grant) return undefined
      if (Provider.ctx) rememberGrant(Provider.ctx, grant)
      return isUsable(grant, clock.now()) ? grantPayload(grant, baseUrl) : undefined
    },
    upsert: async () => {},
    // The library ends a grant where its client asks for it, and where something of it is used a second time.
    destroy: async (grantId) => {
      const asked = Provider.ctx?.oidc.route === 'revocation'
      const why = {
        reason: asked ? 'revoked_by_client' : 'code_replayed',
        by: asked ? 'client' : 'system',
        request_id: currentContext()?.requestId ?? null,
      } as const
      await revokeGrant(db, grantId, why, clock.now())
    },
  }
}
