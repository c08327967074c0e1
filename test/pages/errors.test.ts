/** A page that cannot continue says so in words and says what to do. Nothing has changed. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { order } from './control.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { button, heading, openAccount, press, signInBefore } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const at = (path: string) => environment().baseUrl + path
const main = (page: Page) => page.getByRole('main').innerText()

test('a request that another browser started is over, and one that was answered says what was decided', async () => {
  const page = await newVisitor()
  await signInBefore(page, 'tomasz')
  const authorization = await (await applicationNamed('harbour-ledger')).open(page)
  const consent = page.url()
  const other = await newVisitor()
  expect((await other.goto(consent))?.status()).toBe(400)
  expect(await heading(other)).toBe('This request is over')
  await press(authorization, button(page, 'Do not allow'))
  await look(other, 'stale-interaction')
  await page.goto(consent)
  expect(await heading(page)).toBe('You did not allow this application')
  await look(page, 'declined-before')
})

test('a request that was left for an hour is over', async () => {
  const page = await newVisitor()
  await (await applicationNamed('harbour-ledger')).open(page)
  await order({ do: 'move-clock', services: ['authz'], offsetMs: 3_601_000 })
  await page.reload()
  expect(await heading(page)).toBe('This request is over')
})

test.each([
  ['/account/nowhere', 404, 'There is no such page'],
  ['/nope', 404, 'There is no such page'],
  ['/sign-out', 405, 'This address cannot be opened like that'],
])('%s is a page of status %d', async (path, status, title) => {
  const page = await newVisitor()
  expect((await page.goto(at(path)))?.status()).toBe(status)
  expect(await heading(page)).toBe(title)
  await look(page, `error${path.replaceAll('/', '-')}`)
})

test('an authorization that may not be sent back names the error to the owner', async () => {
  const page = await newVisitor()
  const { url } = await (await applicationNamed('pocket-board')).authorize('https://elsewhere.example/take')
  await page.goto(url.href)
  expect(new URL(page.url()).origin).toBe(environment().baseUrl)
  expect(await main(page)).toContain('invalid_redirect_uri')
  await look(page, 'error-redirect-uri')
})

test('a form without the token of its page changes nothing', async () => {
  const page = await newVisitor()
  await openAccount(page, 'amara')
  await page.evaluate(`document.querySelector('form[action="/sign-out"] [name=csrf_token]').value = 'forged'`)
  await button(page, 'Sign out').click()
  expect(await heading(page)).toBe('This form could not be accepted')
  await look(page, 'error-forged-form')
  await page.goto(at('/account'))
  expect(await main(page)).toContain('Amara Okafor')
})

test('with authz away the gateway answers with a page, and afterwards everything goes on', async () => {
  const page = await newVisitor()
  await openAccount(page, 'amara')
  await order({ do: 'stop', service: 'authz' })
  try {
    expect((await page.goto(at('/account')))?.status()).toBe(503)
    expect(await heading(page)).toBe('This page is not available right now')
    await look(page, 'authz-away')
  } finally {
    await order({ do: 'start', service: 'authz' })
  }
  await page.goto(at('/account'))
  expect(await main(page)).toContain('Amara Okafor')
})
