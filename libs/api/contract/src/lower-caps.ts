/**
 * Validates limits that an owner lowers on a mandate in force. The owner's page asks with what it shows, and the area that
 * holds the mandate asks again under its lock.
 *
 * Invariant: no limit is raised, none falls below the amount that is already used of it, and none is below a tighter one.
 */

import { amountWords } from './amount-words.ts'
import { compareDecimals, subtractDecimals } from './decimals.ts'
import { validateAmount } from './minor-units.ts'
import type { Field } from './problem.ts'
import { type Mandate, mandateCaps } from './schemas/mandate.ts'

/** The limits of a mandate, decimals in its currency. */
export type MandateCaps = Pick<Mandate, (typeof mandateCaps)[number]>

/** The remainder by which the used part of a limit is found. The limit of one payment has no remainder. */
const remainders = {
  per_payment_max: undefined,
  daily_max: 'daily',
  weekly_max: 'weekly',
  monthly_max: 'monthly',
  total_cap: 'total',
} as const satisfies Record<keyof MandateCaps, keyof Mandate['remaining'] | undefined>

/** The reason for which a limit cannot be set. `amount`: the bound that the limit crosses. */
export type CapRefusal = { path: keyof MandateCaps } & (
  | { reason: 'too_fine' | 'zero' }
  | { reason: 'raised' | 'below_used' | 'below_tighter'; amount: string }
)

type Reason = CapRefusal extends infer Refusal ? (Refusal extends CapRefusal ? Omit<Refusal, 'path'> : never) : never

/** Returns a refusal for each limit that cannot be set. The list is empty if all of them can. */
export function findCapRefusals(
  mandate: MandateCaps & Pick<Mandate, 'currency' | 'remaining'>,
  wanted: MandateCaps,
): CapRefusal[] {
  return mandateCaps.flatMap((path, index): CapRefusal[] => {
    const tighter = mandateCaps[index - 1]
    const reason = validateCap(mandate, path, wanted[path], tighter && wanted[tighter])
    return reason === undefined ? [] : [{ path, ...reason }]
  })
}

/** Returns the refusals of `findCapRefusals` in English, by field. */
export function validateLowerCaps(
  mandate: MandateCaps & Pick<Mandate, 'currency' | 'remaining'>,
  wanted: MandateCaps,
): Field[] {
  return findCapRefusals(mandate, wanted).map((refusal) => ({
    path: refusal.path,
    message: messageOf(refusal, mandate.currency, wanted[refusal.path]),
  }))
}

function messageOf(refusal: CapRefusal, currency: string, cap: string): string {
  const bound = 'amount' in refusal ? amountWords(refusal.amount, currency) : ''
  switch (refusal.reason) {
    case 'too_fine':
      return validateAmount(cap, currency, 'Enter') ?? ''
    case 'zero':
      return 'Enter more than zero. To stop these payments, pause or end them.'
    case 'raised':
      return `Enter ${bound} or less. A limit that you confirmed is only lowered.`
    case 'below_used':
      return `Enter ${bound} or more: so much is used already.`
    case 'below_tighter':
      return `Enter ${bound} or more, or lower the limit before it too.`
  }
}

function validateCap(
  { currency, remaining, ...mandate }: MandateCaps & Pick<Mandate, 'currency' | 'remaining'>,
  path: keyof MandateCaps,
  cap: string,
  tighter: string | undefined,
): Reason | undefined {
  if (validateAmount(cap, currency)) return { reason: 'too_fine' }
  if (compareDecimals(cap, '0') === 0) return { reason: 'zero' }
  if (compareDecimals(cap, mandate[path]) > 0) return { reason: 'raised', amount: mandate[path] }
  const part = remainders[path]
  const used = part && subtractDecimals(mandate[path], remaining[part])
  if (used !== undefined && compareDecimals(cap, used) < 0) return { reason: 'below_used', amount: used }
  if (tighter !== undefined && compareDecimals(cap, tighter) < 0) return { reason: 'below_tighter', amount: tighter }
  return undefined
}
