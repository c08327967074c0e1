/** Canonical decimals: plain notation, no sign, no exponent, no needless zero. Exact, never floats. */

import { BigNumber } from 'bignumber.js'

const digits = 18
const canonicalForm = new RegExp(`^(?:0|[1-9]\\d{0,${digits - 1}})(?:\\.\\d{0,${digits - 1}}[1-9])?$`)

/** Converts `+1.250e1` to `12.5`. Returns undefined for more than 18 digits before or after the point. */
export function findCanonicalDecimal(text: string): string | undefined {
  const canonical = new BigNumber(text.replace('+', '')).toFixed()
  return canonicalForm.test(canonical) ? canonical : undefined
}
