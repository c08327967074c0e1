/**
 * Everything that refuses a withdrawal, but for its confirmation: judged when the owner is to be asked to confirm it, and
 * again when it is sent.
 */

import type { WriteAsker } from '@financial-agents/bus/serve-judgement'
import { checkCapability } from '@financial-agents/contract/capabilities'
import { getBindingId } from '@financial-agents/provider/reader'
import type { Judged } from '@financial-agents/writes/perform'
import { BigNumber } from 'bignumber.js'
import { checkCeilings, judgeDay } from './ceilings.ts'
import { checkLimits, type WithdrawalBody } from './check-limits.ts'
import { getPayableBeneficiary } from './find-beneficiary.ts'
import type { Parts } from './parts.ts'
import { readReserved } from './withdrawal-store.ts'
import { utcDayOf, type WithdrawalInput } from './withdrawal-writes.ts'

type Judging = Pick<Parts, 'bus' | 'db' | 'clock' | 'limitsReads' | 'enabledCapabilities'>

/** All of it but what the day has left, which counts only under the lock of the draft. @throws Problem what refuses */
export async function judgeWithdrawal(
  { bus, limitsReads, enabledCapabilities }: Judging,
  body: WithdrawalBody,
  asker: WriteAsker,
): Promise<Judged<WithdrawalInput>> {
  getBindingId(asker)
  checkCapability(enabledCapabilities, 'transfers.execute')
  const beneficiary = await getPayableBeneficiary(bus, asker, body)
  const { payout_schema_id: schema, upstream_reference: target_reference } = beneficiary
  checkLimits(body, await limitsReads.get(asker, { schema, currency: body.currency }))
  const input = inputOf(body, asker)
  checkCeilings(asker.policy, input)
  return { input, payload: { ...body, amount: input.amount }, target_reference }
}

/** What the day has left now, without a lock. @throws Problem grant_ceiling_exceeded */
export async function checkRoom({ db, clock }: Judging, input: WithdrawalInput): Promise<void> {
  const reserved = await readReserved(db, { ...input, day: utcDayOf(clock.now()) })
  const problem = judgeDay(input.per_day, new BigNumber(reserved), input.amount)
  if (problem) throw problem
}

function inputOf(
  { beneficiary_id, amount, currency }: WithdrawalBody,
  { principal: { grant_id }, policy }: WriteAsker,
): WithdrawalInput {
  const canonical = new BigNumber(amount).toFixed()
  return { grant_id, beneficiary_id, amount: canonical, currency, per_day: policy.ceilings.per_day }
}
