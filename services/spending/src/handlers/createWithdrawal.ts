/** POST /v1/spending-account/withdrawals: judged, confirmed where the policy of the grant asks for it, and drafted. */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { performWrite } from '@financial-agents/writes/perform'
import { judgeWithdrawal } from '../judge-withdrawal.ts'
import { needsConfirmation } from '../needs-confirmation.ts'
import type { Parts } from '../parts.ts'
import { transfer } from '../withdrawal-write.ts'

export function createWithdrawal(parts: Parts): Handlers<typeof spendingRoutes>['createWithdrawal'] {
  return ({ body }, context) =>
    performWrite(parts, transfer, context, async () => {
      const judged = await judgeWithdrawal(parts, body, context)
      checkConfirmation(context, judged.payment)
      const { intent_id } = context.confirmation
      return { ...judged, confirmation: intent_id === null ? null : { action: 'transfer', intent_id } }
    })
}

/**
 * The last that is judged here: the owner is not asked to confirm what would be refused. What the day has left is judged when the
 * withdrawal is accepted.
 * @throws Problem confirmation_required
 */
function checkConfirmation(
  { policy, confirmation }: Pick<HandlerContext, 'policy' | 'confirmation'>,
  money: { amount: string; currency: string },
): void {
  if (confirmation.intent_id === null && needsConfirmation(policy, money)) throw new Problem('confirmation_required')
}
