/** Amounts as applications have them, and as people read them. */

import { otherDigits } from './generated/minor-units.ts'

/** A decimal string, or a number of a decimal library, which becomes one in JSON: `Decimal`, `Big`, `BigNumber`. */
export type Amount = string | { toJSON(): string }

/** The decimal string. Anything else is left to the API's refusal. */
export function amountText(amount: Amount): string {
  return typeof amount === 'object' && amount !== null ? amount.toJSON() : amount
}

/** An amount with the digits of its currency, for people: `5.1` EUR as `5.10`. Further digits stay if they count. */
export function writtenAmount(amount: string, currency: string): string {
  if (!/^\d+(?:\.\d+)?$/.test(amount)) return amount
  const [whole = '', fraction = ''] = amount.split('.')
  const written = fraction.replace(/0+$/, '').padEnd(otherDigits[currency] ?? 2, '0')
  return written === '' ? whole : `${whole}.${written}`
}
