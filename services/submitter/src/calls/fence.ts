/** `int.submitter.fence`: commits the fence, and then answers with the operations whose attempts are still open. */

import type { FenceRequest, FenceResponse } from '@financial-agents/bus/messages/authority'
import type { Parts } from '../parts.ts'
import { listOpenAttempts, recordFence } from '../store/fences.ts'

export function fence({ db, clock }: Pick<Parts, 'db' | 'clock'>) {
  return async (request: FenceRequest): Promise<FenceResponse> => {
    await recordFence(db, request, clock.now())
    return { open_operation_ids: await listOpenAttempts(db, request) }
  }
}
