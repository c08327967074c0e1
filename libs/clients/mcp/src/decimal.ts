/** Exact arithmetic on the API's decimal strings. */

type Scaled = { units: bigint; digits: number }

function scaled(text: string): Scaled {
  const [whole = '0', fraction = ''] = text.split('.')
  return { units: BigInt(whole + fraction), digits: fraction.length }
}

function aligned(a: string, b: string): { a: bigint; b: bigint; digits: number } {
  const [left, right] = [scaled(a), scaled(b)]
  const digits = Math.max(left.digits, right.digits)
  const to = ({ units, digits: has }: Scaled) => units * 10n ** BigInt(digits - has)
  return { a: to(left), b: to(right), digits }
}

/** True if `a` is greater than `b`. Both are decimal strings without an exponent. */
export function exceeds(a: string, b: string): boolean {
  const both = aligned(a, b)
  return both.a > both.b
}

/** True if both are the same number. */
export function sameAmount(a: string, b: string): boolean {
  const both = aligned(a, b)
  return both.a === both.b
}

/** `a - b`, with as many digits after the point as the finer of both. `b` is not greater than `a`. */
export function minus(a: string, b: string): string {
  const both = aligned(a, b)
  const text = (both.a - both.b).toString().padStart(both.digits + 1, '0')
  return both.digits === 0 ? text : `${text.slice(0, -both.digits)}.${text.slice(-both.digits)}`
}
