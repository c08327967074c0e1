/** Amounts as decimal strings, reckoned exactly, and the provider's own fixed rates between the currencies that it keeps. */

import { BigNumber } from 'bignumber.js'
import { z } from 'zod'

export const Money = z.object({
  value: z
    .string()
    .max(64)
    .regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/),
  ccy: z.string().regex(/^[A-Z]{3}$/),
})

export type Money = z.infer<typeof Money>

export const PositiveDecimal = z
  .string()
  .max(64)
  .regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/)
  .refine((value) => !/^[0.]*$/.test(value))

/** Of every currency that the provider keeps. */
const minorUnitDigits = 2

/** Whether an amount names less than the smallest unit of its currency. */
export function isTooFine(value: string): boolean {
  return (new BigNumber(value).decimalPlaces() ?? 0) > minorUnitDigits
}

/** Invented. What one unit is worth in euros. */
const inEuros: { readonly [Currency in string]?: string } = { EUR: '1', GBP: '1.16', PLN: '0.235', USD: '0.92' }

/** What one unit is worth in another currency, unrounded; undefined where the provider keeps no rate. */
export function findRate(from: string, to: string): BigNumber | undefined {
  const [worth, into] = [inEuros[from], inEuros[to]]
  return worth === undefined || into === undefined ? undefined : new BigNumber(worth).div(into)
}

/** What an amount is worth in another currency, to the cent, rounded up; undefined where the provider keeps no rate. */
export function convert({ value, ccy }: Money, to: string): BigNumber | undefined {
  const [from, into] = [inEuros[ccy], inEuros[to]]
  if (ccy === to) return new BigNumber(value)
  if (from === undefined || into === undefined) return undefined
  return new BigNumber(value).times(from).div(into).decimalPlaces(minorUnitDigits, BigNumber.ROUND_UP)
}

/** As the provider writes it: at least two decimal places. */
export function decimalText(value: BigNumber): string {
  return value.toFixed(Math.max(2, value.decimalPlaces() ?? 0))
}
