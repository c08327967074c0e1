import { afterEach, expect, test } from 'vitest'
import { createClock, moveDateWith } from './clock.ts'

const SystemDate = globalThis.Date
afterEach(() => {
  globalThis.Date = SystemDate
})

test('Date tells the time of the clock that it follows, and is otherwise what it was', () => {
  const clock = createClock()
  clock.setOffsetMs(86_400_000)
  const systemMs = SystemDate.now()
  expect(Math.abs(Date.now() - systemMs)).toBeLessThan(60_000)
  moveDateWith(clock)
  expect(Date.now() - systemMs).toBeGreaterThanOrEqual(86_400_000)
  expect(new Date().getTime() - systemMs).toBeGreaterThanOrEqual(86_400_000)
  expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z')
  expect(new Date()).toBeInstanceOf(Date)
  expect(new SystemDate()).toBeInstanceOf(Date)
  expect(Date.UTC(1970, 0, 2)).toBe(86_400_000)
  clock.setOffsetMs(0)
  expect(Math.abs(Date.now() - systemMs)).toBeLessThan(60_000)
})
