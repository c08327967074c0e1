/**
 * GET /v1/kyc returns the owner's verification as the provider states it now, over the connection that the client acts
 * over. Without a connection it returns the last known state. An owner without any state is recorded as `not_started`
 * at this first request.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import type { kycRoutes } from '@financial-agents/contract/routes/kyc'
import type { KycDependencies, KycReads } from '../kyc-reads.ts'
import { findStanding, type Kyc, lockKycOf } from '../kyc-store.ts'

type Dependencies = Pick<KycDependencies, 'db' | 'clock'> & { reads: KycReads }

export function getKyc(dependencies: Dependencies): Handlers<typeof kycRoutes>['getKyc'] {
  const { db, clock, reads } = dependencies
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
