/**
 * GET /v1/kyc: how far the owner is verified, as the provider says now over the connection that the client acts over. Without
 * one it is what was known last; an owner of whom nothing was ever known has not started, since they were first asked about.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import type { kycRoutes } from '@financial-agents/contract/routes/kyc'
import type { KycParts, KycReads } from '../kyc-reads.ts'
import { findStanding, type Kyc, lockKycOf } from '../kyc-store.ts'

type Parts = Pick<KycParts, 'db' | 'clock'> & { reads: KycReads }

export function getKyc(parts: Parts): Handlers<typeof kycRoutes>['getKyc'] {
  const { db, clock, reads } = parts
  const get = async ({ owner_id: ownerId, binding_id }: Principal, traceparent: string): Promise<Kyc> => {
    const { binding, kyc } = await findStanding(db, ownerId)
    if (binding?.status === 'connected' && binding.id === binding_id)
      return reads.get({ ownerId, bindingId: binding.id, known: kyc, traceparent })
    return kyc ?? db.transaction((tx) => lockKycOf(tx, ownerId, clock.now()))
  }
  return async (_input, context) => {
    const { status, reason_code, changed_at } = await get(context.principal, context.traceparent)
    return { status, reason_code, updated_at: changed_at.toISOString() }
  }
}
