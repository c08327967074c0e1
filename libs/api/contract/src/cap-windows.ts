/** The windows of a mandate's limits: the UTC calendar day, the ISO week (from Monday) and the month of a time. */

/** The first day of each window, for example `2026-02-28`. */
export type Windows = { day: string; week: string; month: string }

const dayMs = 86_400_000

export function windowsAt(at: Date): Windows {
  const day = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())
  const sinceMonday = (at.getUTCDay() + 6) % 7
  return {
    day: dateOf(day),
    week: dateOf(day - sinceMonday * dayMs),
    month: dateOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)),
  }
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
