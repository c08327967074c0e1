/**
 * POST /v1/spending-account/withdrawals: validates the withdrawal, requires a confirmation if the grant's policy asks for
 * one, and drafts the withdrawal.
 */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { compareDecimals } from '@financial-agents/contract/decimals'
import { Problem } from '@financial-agents/contract/problem'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { performWrite } from '@financial-agents/writes/perform'
import type { Dependencies } from '../dependencies.ts'
import { validateWithdrawal } from '../validate-withdrawal.ts'
import { transfer } from '../withdrawal-write.ts'

type Money = { amount: string; currency: string }

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
  money: Money,
): void {
  if (confirmation.intent_id === null && needsConfirmation(policy, money)) throw new Problem('confirmation_required')
}

/** An amount in another currency always needs a confirmation, because this service knows no exchange rate. */
export function needsConfirmation({ confirmation }: GrantPolicy, { amount, currency }: Money): boolean {
  return confirmation.some(
    ({ action, above }) =>
      action === 'transfer' &&
      (above === null || above.currency !== currency || compareDecimals(amount, above.amount) > 0),
  )
}
