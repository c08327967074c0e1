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
const words = (page: Page) => fresh(page).innerText()
const shown = (page: Page) => fresh(page).locator('time').getAttribute('datetime')
const focused = (page: Page) => page.evaluate<string | null>('document.activeElement.getAttribute("href")')

/** The page's clock passes every pause of the script at once. */
const passPauses = (page: Page) => page.clock.fastForward(60_000)

/** Reads a value of the page after its next update, and after further ones until the value is as expected. */
const afterUpdates = <Value>(page: Page, read: (page: Page) => Promise<Value>) =>
  expect.poll(async () => {
    await passPauses(page)
    return read(page)
  })

/** Returns a page of the console whose clock the test moves. */
async function openConsole(path: string): Promise<Page> {
  const page = await newVisitor({ withScript: true })
  await page.clock.install()
  await signInAs(page, 'jonas', path)
  return page
}

test('an operation moves before the eyes of who reads it: focus, scroll, selection and what was unfolded stay', async () => {
  const application = await applicationNamed('tally')
  const scope = 'openid beneficiaries:read beneficiaries:write operations:read'
  await allow(await newVisitor(), application, 'amara', { scope })
  const name = unique('Watched')
  await script({ script: 'settle_later', match: { name }, times: 1, options: { settle_after_ms: null } })
  const id = await createBeneficiary(application, name)
  await expect.poll(() => stateOf(application, id)).toBe('submitted')

  const page = await openConsole(`/ops/operations/${id}`)
  const link = page.getByRole('link', { name: 'All operations' })
  await link.focus()
  const scrolled = await page.evaluate<number>('scrollY')
  await settle()
  await afterUpdates(page, main).toContain('A read found it done.')
  expect(await focused(page)).toBe('/ops/operations')
  expect(await page.evaluate<number>('scrollY')).toBe(scrolled)
  expect(await words(page)).toMatch(/Updated \d\d:\d\d:\d\d UTC/)
  await look(page, 'ops-operation-fresh')

  await page.goto(opsUrl())
  await page.getByText('The same as a table').click()
  await page.evaluate(`getSelection().selectAllChildren(document.querySelector('th[scope=row]'))`)
  const selected = await page.evaluate<string>('getSelection().toString()')
  await afterUpdates(page, shown).not.toBe(await shown(page))
  expect(await page.locator('details').getAttribute('open')).toBe('')
  expect(await page.evaluate<string>('getSelection().toString()')).toBe(selected)
})

test('a row that comes in does not take the focus from the one below, and a filter half written stays', async () => {
  const application = await applicationNamed('tally')
  const scope = 'openid beneficiaries:read beneficiaries:write operations:read'
  await allow(await newVisitor(), application, 'amara', { scope })
  const first = await createBeneficiary(application, unique('First'))
  const page = await openConsole('/ops/operations')
  await page.getByLabel('Client id').fill('half writ')
  const link = page.locator(`a[href="/ops/operations/${first}"]`)
  await link.focus()
  const second = await createBeneficiary(application, unique('Second'))
  await afterUpdates(page, main).toContain(second)
  expect(await focused(page)).toBe(`/ops/operations/${first}`)
  expect(await page.getByLabel('Client id').inputValue()).toBe('half writ')
  const order = await page.evaluate<string[]>(
    `[...document.querySelectorAll('tbody tr')].map((row) => row.dataset.key)`,
  )
  expect(order.indexOf(second)).toBe(order.indexOf(first) - 1)
  expect(new Set(order).size).toBe(order.length)
})

test('updates can be paused, and what has no answer says so until it has', async () => {
  const page = await openConsole('/ops/grants')
  await button(page, 'Pause updates').click()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await passPauses(page)
  expect(asked).toEqual([])
  await order({ do: 'stop', service: 'ops-console' })
  try {
    await button(page, 'Resume updates').click()
    await afterUpdates(page, words).toContain('No answer')
    await look(page, 'ops-no-answer')
  } finally {
    await order({ do: 'start', service: 'ops-console' })
  }
  await afterUpdates(page, words).not.toContain('No answer')
  await page.context().clearCookies()
  await afterUpdates(page, words).toContain('Your session is over')
  await look(page, 'ops-session-over')
  await page.getByRole('link', { name: 'Sign in again' }).click()
  expect(new URL(page.url()).searchParams.get('next')).toBe('/ops/grants')
})
