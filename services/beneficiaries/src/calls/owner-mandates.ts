/** `int.beneficiaries.owner-mandates`: lists the running mandates page by page, or the latest that are over. */

import {
  type OwnerMandate,
  type OwnerMandatesRequest,
  ownerMandatesOver,
  ownerMandatesPage,
} from '@financial-agents/bus/messages/resources'
import type { ReadingDependencies } from '../dependencies.ts'
import { listSettledRunning } from '../mandates/settled-mandates.ts'
import { listOver, toOwnerMandate } from '../mandates/store.ts'

export function ownerMandates(dependencies: ReadingDependencies) {
  return async (request: OwnerMandatesRequest): Promise<OwnerMandate[]> => {
    const now = dependencies.clock.now()
    const { owner_id } = request
    const rows =
      request.which === 'running'
        ? await listSettledRunning(dependencies, owner_id, request.after, ownerMandatesPage, now)
        : await listOver(dependencies.db, owner_id, ownerMandatesOver, now)
    return rows.map((row) => toOwnerMandate(row, now))
  }
}
