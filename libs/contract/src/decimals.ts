/** Order of decimal strings as the contract writes amounts: non-negative, no leading zeros, any number of digits. */

/** Negative where `one` is less than `other`, 0 where they are equal in value. */
export function compareDecimals(one: string, other: string): number {
  const [oneWhole = '', oneFraction = ''] = one.split('.')
  const [otherWhole = '', otherFraction = ''] = other.split('.')
  const places = Math.max(oneFraction.length, otherFraction.length)
  const difference =
    BigInt(oneWhole + oneFraction.padEnd(places, '0')) - BigInt(otherWhole + otherFraction.padEnd(places, '0'))
  return difference < 0n ? -1 : Number(difference > 0n)
}
