/** `int.beneficiaries.find-mandate`: returns one mandate, or null if the caller cannot see it. */

import type { FindMandateRequest, OwnerMandate } from '@financial-agents/bus/messages/resources'
import type { ReadingDependencies } from '../dependencies.ts'
import { findSettledMandate } from '../mandates/settled-mandates.ts'
import { toOwnerMandate } from '../mandates/store.ts'

export function answerFindMandate(dependencies: ReadingDependencies) {
  return async ({ mandate_id, ...seer }: FindMandateRequest): Promise<OwnerMandate | null> => {
    const now = dependencies.clock.now()
    const row = await findSettledMandate(dependencies, seer, mandate_id, now)
    return row ? toOwnerMandate(row, now) : null
  }
}
