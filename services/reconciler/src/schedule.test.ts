import { expect, test } from 'vitest'
import { pauseBeforeReadMs } from './schedule.ts'

test('reads come ever more seldom, then hourly without end, within 20 % of the plan', () => {
  const plan = [1, 2, 5, 15, 60, 300, 900, 3_600, 3_600, 3_600]
  plan.forEach((seconds, reads) => {
    expect(pauseBeforeReadMs(reads, 0.5)).toBe(seconds * 1_000)
    expect(pauseBeforeReadMs(reads, 0)).toBe(seconds * 800)
    expect(pauseBeforeReadMs(reads, 0.999_999)).toBeLessThanOrEqual(seconds * 1_200)
  })
  expect(pauseBeforeReadMs(100_000, 0.5)).toBe(3_600_000)
})
