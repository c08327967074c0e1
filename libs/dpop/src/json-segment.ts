/**
 * A base64url segment of a JWS that holds a JSON object. The caller has checked the alphabet.
 */

/** The object, or undefined where the segment is not the encoding of one. */
export function parseJsonSegment(segment: string): Record<string, unknown> | undefined {
  // No whole number of bytes has this many characters; Buffer would drop the last one silently.
  if (segment.length % 4 === 1) return undefined
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(segment, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}
