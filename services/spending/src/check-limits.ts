/**
 * Checks a withdrawal against the provider's limits for its payout schema and currency. One answer reports all
 * failures, each with its path and the limit.
 */

import { writtenAmount } from '@financial-agents/contract/minor-units'
import { isPlainText } from '@financial-agents/contract/plain-text'
import { type Field, fieldsProblem } from '@financial-agents/contract/problem'
import type { RouteInput } from '@financial-agents/contract/route'
import type { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { WithdrawalLimits } from '@financial-agents/provider-port/account-reads'
import { BigNumber } from 'bignumber.js'

export type WithdrawalBody = RouteInput<(typeof spendingRoutes)['createWithdrawal']>['body']

/** @throws Problem validation_failed */
export function checkLimits(body: WithdrawalBody, limits: WithdrawalLimits | null): void {
  if (limits === null)
    throw fieldsProblem([
      {
        path: 'beneficiary_id',
        message: `Name another beneficiary: the provider states no withdrawal limits for this one in ${body.currency}.`,
      },
    ])
  const fields = [
    ...validateAmount(body.amount, limits),
    ...validatePurpose(body.purpose_code, limits),
    ...validateMemo(body.memo, limits),
  ]
  if (fields.length > 0) throw fieldsProblem(fields)
}

function validateAmount(amount: string, { minimum_amount, maximum_amount, currency }: WithdrawalLimits): Field[] {
  const value = new BigNumber(amount)
  const written = (decimal: string) => `${writtenAmount(decimal, currency)} ${currency}`
  if (value.lt(minimum_amount))
    return [{ path: 'amount', message: `Send at least ${written(minimum_amount)}, the provider's minimum.` }]
  if (value.gt(maximum_amount))
    return [{ path: 'amount', message: `Send at most ${written(maximum_amount)}, the provider's maximum.` }]
  return []
}

function validatePurpose(code: string | undefined, { purpose_codes }: WithdrawalLimits): Field[] {
  if (code === undefined) return []
  const path = 'purpose_code'
  if (purpose_codes.length > 0 && !purpose_codes.includes(code))
    return [{ path, message: `Send one of: ${purpose_codes.join(', ')}.` }]
  return isPlainText(code) ? [] : [{ path, message: 'Send text without control characters.' }]
}

/** A missing memo counts as a memo of length 0. Lengths are counted in Unicode code points. */
function validateMemo(memo: string | undefined, { memo: bounds }: WithdrawalLimits): Field[] {
  const path = 'memo'
  if (!bounds.supported)
    return memo === undefined ? [] : [{ path, message: 'Remove it: the provider takes no memo here.' }]
  const { minimum_characters: min, maximum_characters: max } = bounds
  const length = Array.from(memo ?? '').length
  if (length < min || length > max) return [{ path, message: `Send ${min} to ${max} characters.` }]
  return isPlainText(memo ?? '') ? [] : [{ path, message: 'Send text without control characters.' }]
}
