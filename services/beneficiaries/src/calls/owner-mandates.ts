/** `int.beneficiaries.owner-mandates`: lists the running mandates page by page, or the latest that are over. */

import {
  type OwnerMandate,
  type OwnerMandatesRequest,
  ownerMandatesOver,
  ownerMandatesPage,
} from '@financial-agents/bus/messages/resources'
import { listSettledRunning } from '../mandates/settled-mandates.ts'
import { listOver, toOwnerMandate } from '../mandates/store.ts'
import type { ReadingParts } from '../parts.ts'

export function ownerMandates(parts: ReadingParts) {
  return async (request: OwnerMandatesRequest): Promise<OwnerMandate[]> => {
    const now = parts.clock.now()
    const { owner_id } = request
    const rows =
      request.which === 'running'
        ? await listSettledRunning(parts, owner_id, request.after, ownerMandatesPage, now)
        : await listOver(parts.db, owner_id, ownerMandatesOver, now)
    return rows.map((row) => toOwnerMandate(row, now))
  }
}
