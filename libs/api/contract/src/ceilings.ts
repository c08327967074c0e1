/**
 * Checks the limits of a grant. Payments and mandates use the same check, so no mandate allows more than its payments
 * may move.
 *
 * Invariant: a request in a currency without a limit passes only if the grant has no limit at all. Amounts are
 * never converted.
 */

import { compareDecimals } from './decimals.ts'
import { writtenAmount } from './minor-units.ts'
import { Problem } from './problem.ts'
import type { GrantPolicy } from './schemas/authorization.ts'

/** The limits of a grant; null if there is none. */
export type Ceilings = GrantPolicy['ceilings']

/** The maximum that a request can move in one payment and in a UTC day, as canonical decimals. */
export type Reach = { currency: string } & Record<keyof Ceilings, string>

const periods = { per_payment: 'in one payment', per_day: 'in a UTC day' } as const satisfies Record<
  keyof Ceilings,
  string
>

export function reachOf({ amount, currency }: { amount: string; currency: string }): Reach {
  return { currency, per_payment: amount, per_day: amount }
}

/**
 * Returns the text for the client if the reach exceeds a limit; undefined otherwise.
 * @param remains the unspent part of `per_day`, if known
 */
export function findExceeded(ceilings: Ceilings, reach: Reach, remains?: string): string | undefined {
  for (const name of ['per_payment', 'per_day'] as const) {
    const ceiling = ceilings[name]
    if (ceiling === null) continue
    const { amount, currency } = ceiling
    if (currency !== reach.currency) return `${name} is in ${currency}, and nothing in ${reach.currency} is within it.`
    const written = (decimal: string) => `${writtenAmount(decimal, currency)} ${currency}`
    const left = name === 'per_day' && remains !== undefined ? `, of which ${written(remains)} remain` : ''
    if (compareDecimals(reach[name], amount) > 0) return `${name}: at most ${written(amount)} ${periods[name]}${left}.`
  }
  return undefined
}

/**
 * Checks the limits except for the amounts already spent on the day; acceptance checks these.
 * @throws Problem grant_ceiling_exceeded, which names the limit
 */
export function checkCeilings(ceilings: Ceilings, reach: Reach): void {
  const detail = findExceeded(ceilings, reach)
  if (detail !== undefined) throw new Problem('grant_ceiling_exceeded', { detail })
}
