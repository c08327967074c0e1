import { expect, test } from 'vitest'
import { givenUpAfterMs, retryDelayMs, retryDelaysMs, waitMs } from './retries.ts'

const dayMs = 86_400_000

test('ten attempts go over three days, and no more', () => {
  const delays = Array.from({ length: 10 }, (_, index) => retryDelayMs(index + 1, 0.5))
  expect(delays).toEqual([...retryDelaysMs, undefined])
  const totalMs = retryDelaysMs.reduce((sum, delay) => sum + delay, 0)
  expect(totalMs).toBeGreaterThan(3 * dayMs)
  expect(totalMs * 1.2).toBeLessThan(4 * dayMs)
})

test('delays differ by a fifth at most', () => {
  expect(retryDelayMs(1, 0)).toBe(4_000)
  expect(retryDelayMs(1, 1)).toBe(6_000)
})

test('a new delivery that waits is looked at again soon, and given up only after all retries', () => {
  expect(waitMs(0)).toBe(250)
  expect(waitMs(4_000)).toBe(1_000)
  expect(waitMs(dayMs)).toBe(300_000)
  expect(givenUpAfterMs).toBeGreaterThan(retryDelaysMs.reduce((sum, delay) => sum + delay, 0) * 1.2)
})
