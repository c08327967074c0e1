/** Parses a base64url segment of a JWS that holds a JSON object. The caller has checked the alphabet. */

/** The object; undefined if the segment does not encode one. */
export function parseJsonSegment(segment: string): Record<string, unknown> | undefined {
  // No number of bytes encodes to this length. Buffer would silently drop the last character.
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
