/**
 * `int.submitter.fence`: commits the fence, and then answers with the operations whose attempts are still open. It tells
 * operations, which ends the approvals that wait under it.
 */

import type { FenceRequest, FenceResponse } from '@financial-agents/bus/messages/authority'
import { notify } from '@financial-agents/bus/rpc'
import type { Dependencies } from '../dependencies.ts'
import { listOpenAttempts, recordFence } from '../store/fences.ts'

export function fence({ bus, db, clock }: Pick<Dependencies, 'bus' | 'db' | 'clock'>) {
  return async (request: FenceRequest): Promise<FenceResponse> => {
    await recordFence(db, request, clock.now())
    notify(bus, 'int.operations.fenced', { target: request.target, target_id: request.target_id })
    return { open_operation_ids: await listOpenAttempts(db, request) }
  }
}
