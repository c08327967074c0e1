/** POST /v1/spending-account/withdrawals: judged against the provider's limits, then against the ceilings of the grant. */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { checkCapability } from '@financial-agents/contract/capabilities'
import { checkCeilings, reachOf } from '@financial-agents/contract/ceilings'
import { Problem } from '@financial-agents/contract/problem'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { performWrite } from '@financial-agents/writes/perform'
import { BigNumber } from 'bignumber.js'
import { checkLimits } from '../check-limits.ts'
import { getPayableBeneficiary } from '../find-beneficiary.ts'
import { needsConfirmation } from '../needs-confirmation.ts'
import type { Parts } from '../parts.ts'
import { transfer } from '../withdrawal-write.ts'

export function createWithdrawal(parts: Parts): Handlers<typeof spendingRoutes>['createWithdrawal'] {
  return ({ body }, context) =>
    performWrite(parts, transfer, context, async () => {
      checkCapability(parts.enabledCapabilities, 'transfers.execute')
      const { beneficiary_id, currency, memo } = body
      const beneficiary = await getPayableBeneficiary(parts.bus, context, body)
      const { payout_schema_id: schema, upstream_reference: target_reference } = beneficiary
      checkLimits(body, await parts.limitsReads.get(context, { schema, currency }))
      const amount = new BigNumber(body.amount).toFixed()
      const { ceilings } = context.policy
      checkCeilings(ceilings, reachOf({ amount, currency }))
      checkConfirmation(context, { amount, currency })
      const { intent_id } = context.confirmation
      return {
        input: null,
        payload: { ...body, amount },
        payment: { beneficiary_id, amount, currency, rule: null, reference: memo ?? null, ceilings },
        target_reference,
        confirmation: intent_id === null ? null : { action: 'transfer', intent_id },
      }
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
