import { expect, test } from 'vitest'
import { distance, duration, exactly, instant } from './times.ts'

const at = new Date('2026-11-20T20:18:05.123Z')
const after = (ms: number) => new Date(at.getTime() + ms)

test('a moment is shown to the second in UTC, in any time zone of the process', () => {
  expect(exactly(at).toString()).toBe('<time datetime="2026-11-20T20:18:05.123Z">20 Nov 2026, 20:18:05 UTC</time>')
  expect(instant(at, after(65_000)).toString()).toContain('(1 min 5 s ago)')
})

test('a future moment is shown as future, and the present as now', () => {
  expect(distance(after(12_000), at)).toBe('in 12 s')
  expect(distance(at, after(999))).toBe('now')
  expect(distance(at, after(3_600_000))).toBe('1 h ago')
})

test.each([
  [0, '0 ms'],
  [480.4, '480 ms'],
  [999.9, '999 ms'],
  [1_000, '1 s'],
  [4_230, '4.2 s'],
  [9_999, '9.9 s'],
  [10_000, '10 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min 59 s'],
  [3_600_000, '1 h'],
  [90_000_000, '1 d 1 h'],
  [864_000_000, '10 d'],
])('%d ms are %s', (ms, words) => expect(duration(ms)).toBe(words))
