/**
 * The console's script: changes appear in place without moving the reader's view or input, and the page says when
 * updates stop arriving.
 */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { order, script, settle } from './control.ts'
import { look } from './look.ts'
import { createBeneficiary, main, opsUrl, signInAs, stateOf, unique } from './ops-steps.ts'
import { allow, button } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const fresh = (page: Page) => page.locator('#fresh')
const shown = (page: Page) => fresh(page).locator('time').getAttribute('datetime')
const focused = (page: Page) => page.evaluate<string | null>('document.activeElement.getAttribute("href")')

/** Waits until the script has polled and shown the answer. */
async function nextUpdate(page: Page): Promise<void> {
  const before = await shown(page)
  await expect.poll(() => shown(page)).not.toBe(before)
}

test('an operation moves before the eyes of who reads it: focus, scroll, selection and what was unfolded stay', async () => {
  const application = await applicationNamed('tally')
  const scope = 'openid beneficiaries:read beneficiaries:write operations:read'
  await allow(await newVisitor(), application, 'amara', { scope })
  const name = unique('Watched')
  await script({ script: 'settle_later', match: { name }, times: 1, options: { settle_after_ms: null } })
  const id = await createBeneficiary(application, name)
  await expect.poll(() => stateOf(application, id)).toBe('submitted')

  const page = await newVisitor({ withScript: true })
  await signInAs(page, 'jonas', `/ops/operations/${id}`)
  const link = page.getByRole('link', { name: 'All operations' })
  await link.focus()
  const scrolled = await page.evaluate<number>('scrollY')
  await settle()
  await expect.poll(() => main(page)).toContain('A read found it done.')
  expect(await focused(page)).toBe('/ops/operations')
  expect(await page.evaluate<number>('scrollY')).toBe(scrolled)
  expect(await fresh(page).innerText()).toMatch(/Updated \d\d:\d\d:\d\d UTC/)
  await look(page, 'ops-operation-fresh')

  await page.goto(opsUrl())
  await page.getByText('The same as a table').click()
  await page.evaluate(`getSelection().selectAllChildren(document.querySelector('th[scope=row]'))`)
  const selected = await page.evaluate<string>('getSelection().toString()')
  await nextUpdate(page)
  expect(await page.locator('details').getAttribute('open')).toBe('')
  expect(await page.evaluate<string>('getSelection().toString()')).toBe(selected)
})

test('a row that comes in does not take the focus from the one below, and a filter half written stays', async () => {
  const application = await applicationNamed('tally')
  const scope = 'openid beneficiaries:read beneficiaries:write operations:read'
  await allow(await newVisitor(), application, 'amara', { scope })
  const first = await createBeneficiary(application, unique('First'))
  const page = await newVisitor({ withScript: true })
  await signInAs(page, 'jonas', '/ops/operations')
  await page.getByLabel('Client id').fill('half writ')
  const link = page.locator(`a[href="/ops/operations/${first}"]`)
  await link.focus()
  const second = await createBeneficiary(application, unique('Second'))
  await expect.poll(() => main(page)).toContain(second)
  expect(await focused(page)).toBe(`/ops/operations/${first}`)
  expect(await page.getByLabel('Client id').inputValue()).toBe('half writ')
  const order = await page.evaluate<string[]>(
    `[...document.querySelectorAll('tbody tr')].map((row) => row.dataset.key)`,
  )
  expect(order.indexOf(second)).toBe(order.indexOf(first) - 1)
  expect(new Set(order).size).toBe(order.length)
})

test('updates can be paused, and what has no answer says so until it has', async () => {
  const page = await newVisitor({ withScript: true })
  await signInAs(page, 'jonas', '/ops/grants')
  await button(page, 'Pause updates').click()
  const paused = await shown(page)
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect(await shown(page)).toBe(paused)
  await order({ do: 'stop', service: 'ops-console' })
  try {
    await button(page, 'Resume updates').click()
    await expect.poll(() => fresh(page).innerText()).toContain('No answer')
    await look(page, 'ops-no-answer')
  } finally {
    await order({ do: 'start', service: 'ops-console' })
  }
  await expect.poll(() => fresh(page).innerText()).not.toContain('No answer')
  await page.context().clearCookies()
  await expect.poll(() => fresh(page).innerText()).toContain('Your session is over')
  await look(page, 'ops-session-over')
  await page.getByRole('link', { name: 'Sign in again' }).click()
  expect(new URL(page.url()).searchParams.get('next')).toBe('/ops/grants')
})
