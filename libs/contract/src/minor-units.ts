/**
 * How fine an amount may be that a client or an owner states: never finer than the smallest unit of its currency. Its value
 * counts, not its spelling: `12.500` EUR is 12.5.
 */

import type { Field } from './problem.ts'

const inUse: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/**
 * Digits after the point by ISO 4217, where they are not two. What `Intl` answers is what prices are shown with: for IDR, HUF or
 * COP it has none where ISO 4217 has two, for IQD none where ISO 4217 has three.
 */
const otherDigits: ReadonlyMap<string, number> = new Map([
  ...digitsOf(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'),
  ...digitsOf(3, 'BHD IQD JOD KWD LYD OMR TND'),
])

function digitsOf(digits: number, currencies: string): [string, number][] {
  return currencies.split(' ').map((currency) => [currency, digits])
}

/** Digits after the point of the smallest unit; undefined for what is no currency in use (ISO 4217). */
export function findMinorUnitDigits(currency: string): number | undefined {
  return inUse.has(currency) ? (otherDigits.get(currency) ?? 2) : undefined
}

/** What to send, or `verb`, instead of an amount that is finer than its currency; undefined where it is not. `amount` has no exponent. */
export function judgeAmount(amount: string, currency: string, verb = 'Send'): string | undefined {
  const digits = findMinorUnitDigits(currency)
  const [, fraction = ''] = amount.split('.')
  if (digits === undefined || fraction.replace(/0+$/, '').length <= digits) return undefined
  const atMost = digits === 0 ? 'a whole amount' : `at most ${digits} digits after the point`
  return `${verb} ${atMost}: ${currency} has no smaller unit.`
}

/** What to send instead of a currency that is not in use; undefined where it is. */
export function judgeCurrency(currency: string): string | undefined {
  return findMinorUnitDigits(currency) === undefined ? 'Send a currency in use (ISO 4217).' : undefined
}

/** Of an amount with its currency, what is wrong by either; with the paths under which the client sent them. */
export function judgeMoney(
  { amount, currency }: { amount: string; currency: string },
  paths = { amount: 'amount', currency: 'currency' },
): Field[] {
  const fields: Field[] = []
  const [unknown, tooFine] = [judgeCurrency(currency), judgeAmount(amount, currency)]
  if (unknown) fields.push({ path: paths.currency, message: unknown })
  if (tooFine) fields.push({ path: paths.amount, message: tooFine })
  return fields
}
