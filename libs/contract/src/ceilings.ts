/**
 * The ceilings of a grant, judged in one place for payments and for mandates, so that no mandate allows what its payments would
 * be refused.
 *
 * Invariant: a currency in which the grant has no ceiling passes only where the grant has no ceiling at all. No rate is known here.
 */

import { compareDecimals } from './decimals.ts'
import { Problem } from './problem.ts'
import type { GrantPolicy } from './schemas/authorization.ts'

/** Ceilings of a grant; null where there is none. */
export type Ceilings = GrantPolicy['ceilings']

/** The most that a request moves at a time and in a UTC day. Canonical decimals. */
export type Reach = { currency: string } & Record<keyof Ceilings, string>

const periods = { per_payment: 'in one payment', per_day: 'in a UTC day' } as const satisfies Record<
  keyof Ceilings,
  string
>

/** What a single payment reaches. */
export function reachOf({ amount, currency }: { amount: string; currency: string }): Reach {
  return { currency, per_payment: amount, per_day: amount }
}

/**
 * What a client reads where the reach is not within the ceilings; undefined where it is.
 * @param remains what is left of `per_day`, where that is known
 */
export function findExceeded(ceilings: Ceilings, reach: Reach, remains?: string): string | undefined {
  for (const name of ['per_payment', 'per_day'] as const) {
    const ceiling = ceilings[name]
    if (ceiling === null) continue
    const { amount, currency } = ceiling
    if (currency !== reach.currency) return `${name} is in ${currency}, and nothing in ${reach.currency} is within it.`
    const left = name === 'per_day' && remains !== undefined ? `, of which ${remains} ${currency} remain` : ''
    if (compareDecimals(reach[name], amount) > 0)
      return `${name}: at most ${amount} ${currency} ${periods[name]}${left}.`
  }
  return undefined
}

/**
 * Everything but what the day has spent, which acceptance judges.
 * @throws Problem grant_ceiling_exceeded, naming the ceiling
 */
export function checkCeilings(ceilings: Ceilings, reach: Reach): void {
  const detail = findExceeded(ceilings, reach)
  if (detail !== undefined) throw new Problem('grant_ceiling_exceeded', { detail })
}
