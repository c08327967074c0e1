/**
 * The precision of amounts that clients and owners state: never finer than the smallest unit of the currency. The value
 * counts and not the spelling: `12.500` EUR equals 12.5.
 */

import type { Field } from './problem.ts'

const inUse: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/**
 * The digits after the point by ISO 4217, for currencies with other than two digits. `Intl` returns the digits for
 * displaying prices, which differ: none for IDR, HUF, COP and IQD, although ISO 4217 has two for the first three and
 * three for IQD.
 */
export const otherDigits: ReadonlyMap<string, number> = new Map([
  ...digitsOf(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'),
  ...digitsOf(3, 'BHD IQD JOD KWD LYD OMR TND'),
])

function digitsOf(digits: number, currencies: string): [string, number][] {
  return currencies.split(' ').map((currency) => [currency, digits])
}

/** The digits after the point of the finest currency. */
export const finestMinorUnitDigits = Math.max(...otherDigits.values())

/**
 * The digits after the point of the currency's smallest unit; undefined for a code that is no currency in use (ISO
 * 4217).
 */
export function findMinorUnitDigits(currency: string): number | undefined {
  return inUse.has(currency) ? (otherDigits.get(currency) ?? 2) : undefined
}

/**
 * Writes an amount with the digits of its currency: `5.1` EUR as `5.10`, `100.00` JPY as `100`. Further digits stay if they
 * count. An amount in something that is no currency in use stays as it is.
 *
 * @param amount a decimal without an exponent, which may be negative
 */
export function writtenAmount(amount: string, currency: string): string {
  const digits = findMinorUnitDigits(currency)
  if (digits === undefined) return amount
  const [whole = '', fraction = ''] = amount.split('.')
  const written = fraction.replace(/0+$/, '').padEnd(digits, '0')
  return written === '' ? whole : `${whole}.${written}`
}

/**
 * Returns a request for a less precise amount if `amount` is finer than its currency; undefined otherwise. `amount` has
 * no exponent. `verb` begins the text.
 */
export function validateAmount(amount: string, currency: string, verb = 'Send'): string | undefined {
  const digits = findMinorUnitDigits(currency)
  const [, fraction = ''] = amount.split('.')
  if (digits === undefined || fraction.replace(/0+$/, '').length <= digits) return undefined
  const atMost = digits === 0 ? 'a whole amount' : `at most ${digits} digits after the point`
  return `${verb} ${atMost}: ${currency} has no smaller unit.`
}

/** Returns a request for another currency if the code is not in use; undefined otherwise. */
export function validateCurrency(currency: string): string | undefined {
  return findMinorUnitDigits(currency) === undefined ? 'Send a currency in use (ISO 4217).' : undefined
}

/** Returns the errors of an amount and its currency, with the paths under which the client sent them. */
export function validateMoney(
  { amount, currency }: { amount: string; currency: string },
  paths = { amount: 'amount', currency: 'currency' },
): Field[] {
  const fields: Field[] = []
  const [unknown, tooFine] = [validateCurrency(currency), validateAmount(amount, currency)]
  if (unknown) fields.push({ path: paths.currency, message: unknown })
  if (tooFine) fields.push({ path: paths.amount, message: tooFine })
  return fields
}
