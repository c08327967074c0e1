/** POST /v1/spending-account/withdrawals: judged against the provider's limits, then against the ceilings of the grant. */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { checkCapability } from '@financial-agents/contract/capabilities'
import { Problem } from '@financial-agents/contract/problem'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { performWrite } from '@financial-agents/writes/perform'
import { BigNumber } from 'bignumber.js'
import { checkCeilings, judgeDay, needsConfirmation } from '../ceilings.ts'
import { checkLimits } from '../check-limits.ts'
import { getPayableBeneficiary } from '../find-beneficiary.ts'
import type { Parts } from '../parts.ts'
import { findGrantDayOf, readReserved } from '../withdrawal-store.ts'
import { transfer, utcDayOf, type WithdrawalInput } from '../withdrawal-writes.ts'

export function createWithdrawal(parts: Parts): Handlers<typeof spendingRoutes>['createWithdrawal'] {
  return ({ body }, context) =>
    performWrite(parts, transfer, context, async () => {
      checkCapability(parts.enabledCapabilities, 'transfers.execute')
      const beneficiary = await getPayableBeneficiary(parts.bus, context, body)
      const { payout_schema_id: schema, upstream_reference: target_reference } = beneficiary
      checkLimits(body, await parts.limitsReads.get(context, { schema, currency: body.currency }))
      const input = inputOf(body, context)
      checkCeilings(context.policy, input)
      await checkConfirmation(parts, context, input)
      const { intent_id } = context.confirmation
      return {
        input,
        payload: { ...body, amount: input.amount },
        target_reference,
        confirmation: intent_id === null ? null : { action: 'transfer', intent_id },
        checkJoined: ({ resource_id }) => checkJoined(parts, input, resource_id),
      }
    })
}

function inputOf(
  { beneficiary_id, amount, currency }: { beneficiary_id: string; amount: string; currency: string },
  { principal: { grant_id }, policy }: HandlerContext,
): WithdrawalInput {
  const canonical = new BigNumber(amount).toFixed()
  return { grant_id, beneficiary_id, amount: canonical, currency, per_day: policy.ceilings.per_day }
}

/**
 * A confirmation that is missing refuses only what the ceilings would let through: the owner is not asked in vain. The draft
 * judges the day again, under its lock.
 */
async function checkConfirmation(parts: Parts, { policy, confirmation }: HandlerContext, input: WithdrawalInput) {
  if (confirmation.intent_id !== null || !needsConfirmation(policy, input)) return
  const reserved = await readReserved(parts.db, { ...input, day: utcDayOf(parts.clock.now()) })
  throw judgeDay(input.per_day, new BigNumber(reserved), input.amount) ?? new Problem('confirmation_required')
}

/**
 * The draft of an equal request reserved under the grant, the day and the ceiling that it came under. Where this request comes
 * under others, that draft is not its own: it waits until the draft is decided.
 */
async function checkJoined(parts: Parts, input: WithdrawalInput, withdrawalId: string): Promise<void> {
  const place = await findGrantDayOf(parts.db, withdrawalId)
  if (place === undefined) return
  if (place.grant_id !== input.grant_id || place.day !== utcDayOf(parts.clock.now()))
    throw new Problem('service_unavailable', {
      detail: 'An equal request with this key is still being decided. Repeat it, with the same key, after a moment.',
    })
  const others = new BigNumber(await readReserved(parts.db, place)).minus(input.amount)
  const problem = judgeDay(input.per_day, others, input.amount)
  if (problem) throw problem
}
