/**
 * Judges caps that an owner lowers on a mandate in force. The owner's page asks with what it shows, and the area that
 * holds the mandate asks again under its lock.
 *
 * Invariant: no cap is raised, none falls below the amount that is already used of it, and none is below a tighter one.
 */

import { amountWords } from './amount-words.ts'
import { compareDecimals, subtractDecimals } from './decimals.ts'
import { judgeAmount } from './minor-units.ts'
import type { Field } from './problem.ts'
import { type Mandate, mandateCaps } from './schemas/mandate.ts'

/** The caps of a mandate, decimals in its currency. */
export type MandateCaps = Pick<Mandate, (typeof mandateCaps)[number]>

/** The remainder from which it follows how much of a cap is used. The cap of one payment has none. */
const remainders = {
  per_payment_max: undefined,
  daily_max: 'daily',
  weekly_max: 'weekly',
  monthly_max: 'monthly',
  total_cap: 'total',
} as const satisfies Record<keyof MandateCaps, keyof Mandate['remaining'] | undefined>

/** Returns a refusal for each cap that cannot be set. The list is empty if all of them can. */
export function judgeLowerCaps(
  mandate: MandateCaps & Pick<Mandate, 'currency' | 'remaining'>,
  wanted: MandateCaps,
): Field[] {
  return mandateCaps.flatMap((path, index): Field[] => {
    const tighter = mandateCaps[index - 1]
    const message = judgeCap(mandate, path, wanted[path], tighter && wanted[tighter])
    return message === undefined ? [] : [{ path, message }]
  })
}

function judgeCap(
  { currency, remaining, ...mandate }: MandateCaps & Pick<Mandate, 'currency' | 'remaining'>,
  path: keyof MandateCaps,
  cap: string,
  tighter: string | undefined,
): string | undefined {
  const words = (amount: string) => amountWords(amount, currency)
  const tooFine = judgeAmount(cap, currency, 'Enter')
  if (tooFine) return tooFine
  if (compareDecimals(cap, '0') === 0) return 'Enter more than zero. To stop these payments, pause or end them.'
  if (compareDecimals(cap, mandate[path]) > 0)
    return `Enter ${words(mandate[path])} or less. A limit that you confirmed is only lowered.`
  const part = remainders[path]
  const used = part && subtractDecimals(mandate[path], remaining[part])
  if (used !== undefined && compareDecimals(cap, used) < 0)
    return `Enter ${words(used)} or more: so much is used already.`
  if (tighter !== undefined && compareDecimals(cap, tighter) < 0)
    return `Enter ${words(tighter)} or more, or lower the limit before it too.`
  return undefined
}
