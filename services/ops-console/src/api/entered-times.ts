/**
 * The times of a filter as operators enter them: a date, the value of a `datetime-local` control, or RFC 3339 with or without
 * seconds. A time without an offset is in UTC, as the labels of the fields say.
 *
 * Invariant: the API gets RFC 3339, or what was entered if it is no time. It then refuses it.
 */

export const timeFilters = ['created_from', 'created_until', 'ended_from', 'ended_until'] as const

/** In an address that was written by hand, the `+` of an offset is read as a space. */
const entered =
  /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(?: ?(z|utc)|([+\- −])(\d{2}):?(\d{2}))?)?$/i

/** Returns the query with its times in RFC 3339. */
export function withTimes(query: Readonly<Record<string, string>>): Record<string, string> {
  const given = { ...query }
  for (const name of timeFilters) if (query[name] !== undefined) given[name] = timestampOf(name, query[name])
  return given
}

function timestampOf(name: (typeof timeFilters)[number], text: string): string {
  const found = entered.exec(text.trim())
  if (!found) return text
  const [, day, minutes, seconds = ':00', , sign, hours, rest] = found
  // `created_until` includes its time, so a date there is the whole day.
  if (minutes === undefined) return `${day}T${name === 'created_until' ? '23:59:59.999' : '00:00:00'}Z`
  const offset = sign === undefined ? 'Z' : `${/[-−]/.test(sign) ? '-' : '+'}${hours}:${rest}`
  return `${day}T${minutes}${seconds}${offset}`
}
