import { expect, test } from 'vitest'
import { windowsAt } from './cap-windows.ts'

test.each([
  // A Monday, and the last moment of its week.
  ['2026-11-16T00:00:00.000Z', '2026-11-16', '2026-11-16', '2026-11-01'],
  ['2026-11-22T23:59:59.999Z', '2026-11-22', '2026-11-16', '2026-11-01'],
  ['2026-11-23T00:00:00.000Z', '2026-11-23', '2026-11-23', '2026-11-01'],
  // One week that begins in the previous year, and one that begins in the previous month.
  ['2026-12-31T23:59:59.999Z', '2026-12-31', '2026-12-28', '2026-12-01'],
  ['2027-01-01T00:00:00.000Z', '2027-01-01', '2026-12-28', '2027-01-01'],
  ['2027-01-03T12:00:00.000Z', '2027-01-03', '2026-12-28', '2027-01-01'],
  ['2027-01-04T00:00:00.000Z', '2027-01-04', '2027-01-04', '2027-01-01'],
  // A leap day, the day after it, and the same day of a common year.
  ['2028-02-29T23:59:59.999Z', '2028-02-29', '2028-02-28', '2028-02-01'],
  ['2028-03-01T00:00:00.000Z', '2028-03-01', '2028-02-28', '2028-03-01'],
  ['2027-03-01T00:00:00.000Z', '2027-03-01', '2027-03-01', '2027-03-01'],
])('%s is in the day %s, the week from %s and the month from %s, in UTC', (time, day, week, month) => {
  expect(windowsAt(new Date(time))).toEqual({ day, week, month })
})

test('every hour of four years is in windows that begin no later and end after it', () => {
  const hourMs = 3_600_000
  const from = Date.UTC(2026, 0, 1)
  for (let at = from; at < Date.UTC(2030, 0, 1); at += hourMs) {
    const { day, week, month } = windowsAt(new Date(at))
    const text = new Date(at).toISOString()
    expect(text.slice(0, 10)).toBe(day)
    expect(`${text.slice(0, 7)}-01`).toBe(month)
    expect(new Date(week).getUTCDay()).toBe(1)
    const intoWeek = at - Date.parse(week)
    expect(intoWeek >= 0 && intoWeek < 7 * 24 * hourMs).toBe(true)
  }
})
