/** Compares, adds and subtracts decimal strings in the contract's form: non-negative, no leading zeros, any number of digits. */

/** Returns a negative number if `one` is less than `other`, 0 if their values are equal, else 1. */
export function compareDecimals(one: string, other: string): number {
  const places = placesOf([one, other])
  const difference = unitsOf(one, places) - unitsOf(other, places)
  return difference < 0n ? -1 : Number(difference > 0n)
}

/** Returns `one` less `other`, for example `12.5`, without zeros at the end. `other` is not greater than `one`. */
export function subtractDecimals(one: string, other: string): string {
  const places = placesOf([one, other])
  return decimalOf(unitsOf(one, places) - unitsOf(other, places), places)
}

/** Returns the sum, for example `12.5`, without zeros at the end; `0` for none. */
export function addDecimals(amounts: readonly string[]): string {
  const places = placesOf(amounts)
  return decimalOf(
    amounts.reduce((sum, amount) => sum + unitsOf(amount, places), 0n),
    places,
  )
}

/** The most decimal places of any of them. */
function placesOf(amounts: readonly string[]): number {
  return Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length))
}

/** The amount as a whole number of units of the last place. */
function unitsOf(amount: string, places: number): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

function decimalOf(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0')
  const [whole, fraction] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)]
  return `${whole}.${fraction}`.replace(/\.?0*$/, '')
}
