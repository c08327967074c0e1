/** Checks ids before a comparison: PostgreSQL fails the whole statement if a text is not a UUID. */

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True if the value is a UUID in the one form that we write. Any other value matches no row. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && form.test(value)
}
