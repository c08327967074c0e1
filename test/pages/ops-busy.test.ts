/** The overview on a bad day, on a phone: short enough to be read at 3 am, and nothing of it lost. */

import { expect, test } from 'vitest'
import { busyOverview } from './busy-overview.ts'
import { look } from './look.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

test('the overview of a bad day is less than 3,500 px high on a phone, and folds what it does not show', async () => {
  const page = await newVisitor()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.setContent(busyOverview())
  expect(await page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(3_500)
  expect(await page.getByRole('link', { name: 'Payment under a mandate' }).count()).toBe(8)
  for (const more of ['6 more', '16 more']) await page.getByText(more, { exact: true }).click()
  expect(await page.getByRole('link', { name: 'Payment under a mandate' }).count()).toBe(30)
  await look(page, 'ops-busy-overview')
})
