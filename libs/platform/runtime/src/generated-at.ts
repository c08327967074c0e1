/** Reads the creation time of a UUID of version 7: its first 48 bits (RFC 9562). */

const timestampDigits = 12
const versionDigit = 12

/**
 * Milliseconds since the epoch, by the clock of the process that created the id. Minus infinity for any other UUID,
 * whose age is unknown.
 */
export function generatedAtMs(uuid: string): number {
  const digits = uuid.replaceAll('-', '')
  return digits[versionDigit] === '7' ? Number.parseInt(digits.slice(0, timestampDigits), 16) : Number.NEGATIVE_INFINITY
}
