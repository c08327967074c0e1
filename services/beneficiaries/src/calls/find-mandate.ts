/** `int.beneficiaries.find-mandate`: returns one mandate, or null if the caller cannot see it. */

import type { FindMandateRequest, OwnerMandate } from '@financial-agents/bus/messages/resources'
import { findSettledMandate } from '../mandates/settled-mandates.ts'
import { toOwnerMandate } from '../mandates/store.ts'
import type { ReadingParts } from '../parts.ts'

export function answerFindMandate(parts: ReadingParts) {
  return async ({ mandate_id, ...seer }: FindMandateRequest): Promise<OwnerMandate | null> => {
    const now = parts.clock.now()
    const row = await findSettledMandate(parts, seer, mandate_id, now)
    return row ? toOwnerMandate(row, now) : null
  }
}
