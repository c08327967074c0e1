import { expect, test } from 'vitest'
import { bars, plot, share } from './plot.ts'

test('the highest bar takes the full height, zero has no bar, and every other value is visible', () => {
  expect(bars([0, 1, 1_000])).toBe('M11 100v-4h8v4zM21 100v-100h8v100z')
  expect(bars([0, 0])).toBe('')
  expect(bars([])).toBe('')
})

test('a plot is an image with a description, and shows its sum as text', () => {
  const text = plot({
    title: 'Accepted',
    values: [1, 2],
    axis: ['20:00', '21:00 UTC'],
    description: '3 in all.',
  }).toString()
  expect(text).toContain('role="img" aria-label="3 in all."')
  expect(text).toContain('<figcaption>Accepted <span class="number">3</span></figcaption>')
  expect(text).not.toMatch(/\sstyle=/)
})

test('a bar shows apart what is pending; where that is not known, all of its part is striped', () => {
  expect(share(50, 100, 20).toString()).toContain('d="M0 0h50v4H0z"/><path class="pending" d="M30 0h20v4h-20z"/>')
  const unknown = share(5, 100, 'unknown').toString()
  expect(unknown).toContain('<path class="filled" d="M0 0h1v4h-1zM2 0h1v4h-1zM4 0h1v4h-1z"/>')
  expect(unknown).not.toContain('pending')
  expect(share(0, 100, 'unknown').toString()).toContain('<path class="filled" d=""/>')
})
