/** Exact amounts as decimal strings, and the provider's fixed rates between its currencies. */

import type { Money } from '@financial-agents/provider-port/primitives'
import { BigNumber } from 'bignumber.js'

export type { Money }

/** The same for every currency of the provider. */
const minorUnitDigits = 2

/** True if an amount is finer than the smallest unit of its currency. */
export function isTooFine(amount: string): boolean {
  return (new BigNumber(amount).decimalPlaces() ?? 0) > minorUnitDigits
}

/** The invented value of one unit in euros. */
const inEuros: { readonly [Currency in string]?: string } = { EUR: '1', GBP: '1.16', PLN: '0.235', USD: '0.92' }

/** The rate between two currencies, unrounded; undefined if the provider has none. */
export function findRate(from: string, to: string): BigNumber | undefined {
  const [worth, into] = [inEuros[from], inEuros[to]]
  return worth === undefined || into === undefined ? undefined : new BigNumber(worth).div(into)
}

/** Converts an amount to another currency, rounded up to the cent; undefined if the provider has no rate. */
export function convert({ amount, currency }: Money, to: string): BigNumber | undefined {
  const [from, into] = [inEuros[currency], inEuros[to]]
  if (currency === to) return new BigNumber(amount)
  if (from === undefined || into === undefined) return undefined
  return new BigNumber(amount).times(from).div(into).decimalPlaces(minorUnitDigits, BigNumber.ROUND_UP)
}

/** Formats an amount as the provider writes it: at least two decimal places. */
export function decimalText(value: BigNumber): string {
  return value.toFixed(Math.max(2, value.decimalPlaces() ?? 0))
}
