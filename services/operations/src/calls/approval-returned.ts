/**
 * Handles the return of the owner's browser from the provider's approval page. Anybody can send any id here. The answer
 * is always null and takes equally long for every id, and the provider is asked no more often than polls may ask it.
 */

import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { Approvals } from '../approvals/approvals.ts'

export function createApprovalReturned(approvals: Pick<Approvals, 'noteReturn'>) {
  return async ({ operation_id }: { operation_id: string }): Promise<null> => {
    if (isUuid(operation_id)) await approvals.noteReturn(operation_id)
    return null
  }
}
