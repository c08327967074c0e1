/**
 * `int.submitter.fence`: commits the fence, and then answers with the operations whose attempts are still open. It tells
 * operations, which ends the approvals that wait under it.
 */

import type { FenceRequest, FenceResponse, UnfenceRequest } from '@financial-agents/bus/messages/authority'
import { notify } from '@financial-agents/bus/rpc'
import type { Dependencies } from '../dependencies.ts'
import { listOpenAttempts, recordFence, recordUnfence } from '../store/fences.ts'
import { witnessEnd } from '../witnessed-ends.ts'

export function fence({ bus, db, clock }: Pick<Dependencies, 'bus' | 'db' | 'clock'>) {
  return async (request: FenceRequest): Promise<FenceResponse> => {
    const now = clock.now()
    await recordFence(db, request, now)
    await witnessEnd(bus, request, request.reason, now)
    notify(bus, 'int.operations.fenced', { target: request.target, target_id: request.target_id })
    return { open_operation_ids: await listOpenAttempts(db, request) }
  }
}

/** `int.submitter.unfence`: commits the return of the authority. */
export function unfence({ bus, db, clock }: Pick<Dependencies, 'bus' | 'db' | 'clock'>) {
  return async (request: UnfenceRequest): Promise<null> => {
    await recordUnfence(db, request)
    await witnessEnd(bus, request, null, clock.now())
    return null
  }
}
