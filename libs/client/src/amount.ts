/** Amounts as applications have them. */

/** A decimal string, or a number of a decimal library, which becomes one in JSON: `Decimal`, `Big`, `BigNumber`. */
export type Amount = string | { toJSON(): string }

/** The decimal string. Anything else is left to the API's refusal. */
export function amountText(amount: Amount): string {
  return typeof amount === 'object' && amount !== null ? amount.toJSON() : amount
}
