/** Ids in comparisons: PostgreSQL fails a whole statement for text that is not a uuid. */

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether PostgreSQL takes it as a uuid in the one form that we write; anything else names no row. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && form.test(value)
}
