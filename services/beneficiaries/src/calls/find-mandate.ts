/** `int.beneficiaries.find-mandate`: returns one mandate, or null if the asker cannot see it. */

import type { FindMandateRequest, OwnerMandate } from '@financial-agents/bus/messages/resources'
import { findMandate, toOwnerMandate } from '../mandates/store.ts'
import type { Parts } from '../parts.ts'

export function answerFindMandate({ db, clock }: Pick<Parts, 'db' | 'clock'>) {
  return async ({ mandate_id, ...seer }: FindMandateRequest): Promise<OwnerMandate | null> => {
    const now = clock.now()
    const row = await findMandate(db, seer, mandate_id, now)
    return row ? toOwnerMandate(row, now) : null
  }
}
