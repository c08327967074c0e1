/** Compares decimal strings in the contract's form: non-negative, no leading zeros, any number of digits. */

/** Returns a negative number if `one` is less than `other`, 0 if their values are equal, else 1. */
export function compareDecimals(one: string, other: string): number {
  const [oneWhole = '', oneFraction = ''] = one.split('.')
  const [otherWhole = '', otherFraction = ''] = other.split('.')
  const places = Math.max(oneFraction.length, otherFraction.length)
  const difference =
    BigInt(oneWhole + oneFraction.padEnd(places, '0')) - BigInt(otherWhole + otherFraction.padEnd(places, '0'))
  return difference < 0n ? -1 : Number(difference > 0n)
}
