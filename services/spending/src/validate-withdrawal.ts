/**
 * Makes every check that refuses a withdrawal, except for its confirmation and the remainder of the day, which
 * acceptance validates. The checks run before the owner is asked to confirm, and again when the request is sent.
 */

import type { WriteCaller } from '@financial-agents/bus/calls/row'
import { checkCapability } from '@financial-agents/contract/capabilities'
import { checkCeilings, reachOf } from '@financial-agents/contract/ceilings'
import { getBindingId } from '@financial-agents/provider-client/reader'
import type { ValidatedPayment, WriteDraft } from '@financial-agents/writes/perform'
import { BigNumber } from 'bignumber.js'
import { checkLimits, type WithdrawalBody } from './check-limits.ts'
import type { Dependencies } from './dependencies.ts'
import { getPayableBeneficiary } from './find-beneficiary.ts'

type Validating = Pick<Dependencies, 'bus' | 'limitsRead' | 'enabledCapabilities'>

/** @throws Problem with which the withdrawal would be refused */
export async function validateWithdrawal(
  { bus, limitsRead, enabledCapabilities }: Validating,
  body: WithdrawalBody,
  caller: WriteCaller,
): Promise<WriteDraft<null> & { payment: ValidatedPayment }> {
  getBindingId(caller)
  checkCapability(enabledCapabilities, 'transfers.execute')
  const beneficiary = await getPayableBeneficiary(bus, caller, body)
  const { payout_schema_id: schema, upstream_reference: target_reference } = beneficiary
  const { beneficiary_id, currency, memo = null } = body
  checkLimits(body, await limitsRead.get(caller, { schema, currency }))
  const amount = new BigNumber(body.amount).toFixed()
  const { ceilings } = caller.policy
  checkCeilings(ceilings, reachOf({ amount, currency }))
  const payment = { beneficiary_id, amount, currency, rule: null, reference: memo, ceilings }
  return { input: null, payload: { ...body, amount }, payment, target_reference }
}
