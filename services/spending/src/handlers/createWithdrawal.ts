/**
 * POST /v1/spending-account/withdrawals: validates the withdrawal, requires a confirmation if the grant's policy asks for
 * one, and drafts the withdrawal.
 */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { performWrite } from '@financial-agents/writes/perform'
import type { Dependencies } from '../dependencies.ts'
import { needsConfirmation } from '../needs-confirmation.ts'
import { validateWithdrawal } from '../validate-withdrawal.ts'
import { transfer } from '../withdrawal-write.ts'

export function createWithdrawal(dependencies: Dependencies): Handlers<typeof spendingRoutes>['createWithdrawal'] {
  return ({ body }, context) =>
    performWrite(dependencies, transfer, context, async () => {
      const validated = await validateWithdrawal(dependencies, body, context)
      checkConfirmation(context, validated.payment)
      const { intent_id } = context.confirmation
      return { ...validated, confirmation: intent_id === null ? null : { action: 'transfer', intent_id } }
    })
}

/**
 * This check is the last one here, so that no owner confirms a withdrawal that would be refused. The acceptance later
 * validates the remainder of the day.
 * @throws Problem confirmation_required
 */
function checkConfirmation(
  { policy, confirmation }: Pick<HandlerContext, 'policy' | 'confirmation'>,
  money: { amount: string; currency: string },
): void {
  if (confirmation.intent_id === null && needsConfirmation(policy, money)) throw new Problem('confirmation_required')
}
