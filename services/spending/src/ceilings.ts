/**
 * The ceilings that a grant's policy puts on withdrawals. Amounts are compared as they are written; a ceiling in another
 * currency than the withdrawal refuses, because nothing here knows a rate.
 */

import { Problem } from '@financial-agents/contract/problem'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import { BigNumber } from 'bignumber.js'

export type Money = { amount: string; currency: string }

type Ceiling = keyof GrantPolicy['ceilings']

const ceilingNames = ['per_payment', 'per_day'] as const satisfies readonly Ceiling[]

/**
 * Everything but what the day has spent.
 * @throws Problem grant_ceiling_exceeded
 */
export function checkCeilings({ ceilings }: GrantPolicy, money: Money): void {
  for (const name of ceilingNames) {
    const ceiling = ceilings[name]
    if (ceiling !== null && ceiling.currency !== money.currency)
      throw exceeded(`${name} is in ${ceiling.currency}, so a withdrawal in ${money.currency} is not within it`)
  }
  const { per_payment } = ceilings
  if (per_payment !== null && new BigNumber(money.amount).gt(per_payment.amount))
    throw exceeded(`per_payment: one withdrawal may be at most ${said(per_payment)}`)
}

/**
 * `reserved` is what other withdrawals of the day hold; the ceiling's currency is known to be the withdrawal's. Undefined
 * where the day has room.
 */
export function judgeDay(ceiling: Money | null, reserved: BigNumber, amount: string): Problem | undefined {
  if (ceiling === null || reserved.plus(amount).lte(ceiling.amount)) return undefined
  const remains = BigNumber.max(0, new BigNumber(ceiling.amount).minus(reserved))
  return exceeded(
    `per_day: withdrawals of one UTC calendar day may come to at most ${said(ceiling)}, of which ${remains.toFixed()} ${ceiling.currency} remain`,
  )
}

/** Whether the policy wants the owner to confirm this withdrawal. */
export function needsConfirmation({ confirmation }: GrantPolicy, { amount, currency }: Money): boolean {
  return confirmation.some(
    ({ action, above }) =>
      action === 'transfer' &&
      (above === null || above.currency !== currency || new BigNumber(amount).gt(above.amount)),
  )
}

function exceeded(why: string): Problem {
  return new Problem('grant_ceiling_exceeded', { detail: `A ceiling of the grant refuses this. ${why}.` })
}

function said({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}
