/** Compares and subtracts decimal strings in the contract's form: non-negative, no leading zeros, any number of digits. */

/** Returns a negative number if `one` is less than `other`, 0 if their values are equal, else 1. */
export function compareDecimals(one: string, other: string): number {
  const { difference } = differenceOf(one, other)
  return difference < 0n ? -1 : Number(difference > 0n)
}

/** Returns `one` less `other`, for example `12.5`, without zeros at the end. `other` is not greater than `one`. */
export function subtractDecimals(one: string, other: string): string {
  const { difference, places } = differenceOf(one, other)
  const digits = difference.toString().padStart(places + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
  return `${whole}.${fraction}`.replace(/\.?0*$/, '')
}

/** The difference as a whole number of units of the last place. */
function differenceOf(one: string, other: string): { difference: bigint; places: number } {
  const [oneWhole = '', oneFraction = ''] = one.split('.')
  const [otherWhole = '', otherFraction = ''] = other.split('.')
  const places = Math.max(oneFraction.length, otherFraction.length)
  const difference =
    BigInt(oneWhole + oneFraction.padEnd(places, '0')) - BigInt(otherWhole + otherFraction.padEnd(places, '0'))
  return { difference, places }
}
