/**
 * The owner's browser came back from the provider's approval page. Anybody can send any id here: the answer is null and takes as
 * long whatever becomes of it, and the provider is asked no more often than polls may ask it.
 */

import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Approvals } from '../approvals/approvals.ts'

export function createApprovalReturned(approvals: Pick<Approvals, 'noteReturn'>) {
  return async ({ operation_id }: { operation_id: string }): Promise<null> => {
    if (isUuid(operation_id)) await approvals.noteReturn(operation_id)
    return null
  }
}
