/** Compares limits: a change that only lowers them needs no recent sign-in. */

import type { Ceilings } from '@financial-agents/contract/ceilings'
import { compareDecimals } from '@financial-agents/contract/decimals'

type Ceiling = Ceilings[keyof Ceilings]

/** Returns false if any limit is added, removed, raised or in another currency. */
export function onlyLowers(before: Ceilings, after: Ceilings): boolean {
  return isKeptOrLowered(before.per_payment, after.per_payment) && isKeptOrLowered(before.per_day, after.per_day)
}

function isKeptOrLowered(before: Ceiling, after: Ceiling): boolean {
  if (before === null || after === null) return before === after
  return before.currency === after.currency && compareDecimals(after.amount, before.amount) <= 0
}
