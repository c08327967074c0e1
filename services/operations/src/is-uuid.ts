/** Text that PostgreSQL takes as a uuid in the one form we write; anything else names no operation. */

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && form.test(value)
}
