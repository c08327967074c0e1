/**
 * `int.beneficiaries.owner-action`: the owner pauses, ends or limits a mandate on the pages. A pause or an end makes
 * the same operation as the route does. The operation belongs to the owner alone, and needs no confirmation besides the
 * owner's own act. Lowering limits makes no operation, because the provider is not asked.
 */

import type { MessageContext } from '@financial-agents/bus/headers'
import type { OwnerMandateAction } from '@financial-agents/bus/messages/resources'
import { accountPageClient } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import { performWrite } from '@financial-agents/writes/perform'
import type { Dependencies } from '../dependencies.ts'
import { recordLowerCaps } from '../mandates/lower-caps.ts'
import { mandateRevoke } from '../mandates/revoke.ts'
import { findSettledMandate } from '../mandates/settled-mandates.ts'
import { mandateSuspend } from '../mandates/suspend.ts'
import { actionOn } from '../mandates/validate-action.ts'

const kinds = { suspend: mandateSuspend, revoke: mandateRevoke } as const
const asTheOwner = { client_id: accountPageClient, grant_id: accountPageClient }

/** @throws Problem mandate_not_found, and every problem of the route */
export function ownerAction(dependencies: Dependencies) {
  return async (asked: OwnerMandateAction, context: MessageContext): Promise<null> => {
    if (asked.action === 'lower') {
      await recordLowerCaps(dependencies.db, asked, dependencies.clock)
      return null
    }
    const { owner_id, subject, binding_id, mandate_id, action, key } = asked
    const write = {
      ...context,
      principal: { ...asTheOwner, owner_id, subject, binding_id },
      idempotency: { key, request_hash: `${action} ${mandate_id}` },
    }
    await performWrite(dependencies, kinds[action], write, async () => {
      const now = dependencies.clock.now()
      const row = await findSettledMandate(dependencies, { owner_id, client_id: null }, mandate_id, now)
      if (!row) throw new Problem('mandate_not_found')
      return actionOn(row, now)
    })
    dependencies.fences.wake()
    return null
  }
}
