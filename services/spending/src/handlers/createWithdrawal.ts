/** POST /v1/spending-account/withdrawals: judged, confirmed where the policy of the grant asks for it, and drafted. */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import { performWrite } from '@financial-agents/writes/perform'
import { BigNumber } from 'bignumber.js'
import { judgeDay, needsConfirmation } from '../ceilings.ts'
import { checkRoom, judgeWithdrawal } from '../judge-withdrawal.ts'
import type { Parts } from '../parts.ts'
import { findGrantDayOf, readReserved } from '../withdrawal-store.ts'
import { transfer, utcDayOf, type WithdrawalInput } from '../withdrawal-writes.ts'

export function createWithdrawal(parts: Parts): Handlers<typeof spendingRoutes>['createWithdrawal'] {
  return ({ body }, context) =>
    performWrite(parts, transfer, context, async () => {
      const judged = await judgeWithdrawal(parts, body, context)
      const { input } = judged
      await checkConfirmation(parts, context, input)
      const { intent_id } = context.confirmation
      return {
        ...judged,
        confirmation: intent_id === null ? null : { action: 'transfer', intent_id },
        checkJoined: ({ resource_id }) => checkJoined(parts, input, resource_id),
      }
    })
}

/**
 * A confirmation that is missing refuses only what the ceilings would let through: the owner is not asked in vain. The draft
 * judges the day again, under its lock.
 */
async function checkConfirmation(parts: Parts, { policy, confirmation }: HandlerContext, input: WithdrawalInput) {
  if (confirmation.intent_id !== null || !needsConfirmation(policy, input)) return
  await checkRoom(parts, input)
  throw new Problem('confirmation_required')
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
