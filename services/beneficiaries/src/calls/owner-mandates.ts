/** `int.beneficiaries.owner-mandates`: lists the running mandates page by page, or the latest that are over. */

import {
  type OwnerMandate,
  type OwnerMandatesRequest,
  ownerMandatesOver,
  ownerMandatesPage,
} from '@financial-agents/bus/messages/resources'
import { listOver, listRunning, toOwnerMandate } from '../mandates/store.ts'
import type { Parts } from '../parts.ts'

export function ownerMandates({ db, clock }: Pick<Parts, 'db' | 'clock'>) {
  return async (request: OwnerMandatesRequest): Promise<OwnerMandate[]> => {
    const now = clock.now()
    const { owner_id } = request
    const rows =
      request.which === 'running'
        ? await listRunning(db, owner_id, request.after, ownerMandatesPage, now)
        : await listOver(db, owner_id, ownerMandatesOver, now)
    return rows.map((row) => toOwnerMandate(row, now))
  }
}
