import { expect, test } from 'vitest'
import { createClock } from './clock.ts'

const dated = (offsetMs: number) => new Headers({ date: new Date(Date.now() + offsetMs).toUTCString() })

test('the server’s time is learnt from Date, forgotten when the clocks agree again, and seconds of rounding are ignored', () => {
  const clock = createClock()
  expect(clock.learn(dated(1_500), Date.now())).toBe(false)
  expect(clock.skewS()).toBe(0)
  expect(clock.learn(dated(-240_000), Date.now())).toBe(true)
  expect(Math.abs(clock.skewS() + 240)).toBeLessThanOrEqual(1)
  expect(Math.abs(Date.now() - 240_000 - clock.now())).toBeLessThan(2_000)
  expect(clock.learn(dated(0), Date.now())).toBe(true)
  expect(clock.skewS()).toBe(0)
})

test('an answer without a date teaches nothing', () => {
  expect(createClock().learn(new Headers(), Date.now())).toBe(false)
})
