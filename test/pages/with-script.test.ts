/**
 * Browsers with scripts get the same pages. The policies forbid nothing that a page needs, and the browser complains
 * about nothing.
 */

import { expect, test } from 'vitest'
import { applicationNamed } from './application.ts'
import { environment } from './environment.ts'
import { allowButton, button, heading, press, signIn } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

test('sign-in, consent, account, revocation, disconnect, device and sign-out run clean where scripts are on', async () => {
  const page = await newVisitor({ withScript: true })
  const application = await applicationNamed('rentwise')
  const authorization = await application.open(page)
  await signIn(page, 'tomasz')
  await application.redeem(await press(authorization, allowButton(page)), authorization.request)
  await page.goto(`${environment().baseUrl}/account`)
  await page.getByRole('link', { name: 'Disconnect…' }).click()
  await page.getByRole('link', { name: 'Keep the connection' }).click()
  await button(page, 'End access of Rentwise').click()
  expect(await page.getByRole('main').innerText()).toContain('Access ended')
  await page.goto(`${environment().baseUrl}/device`)
  await page.getByLabel('Code').fill('BCDF-GHJK')
  await button(page, 'Continue').click()
  expect(await heading(page)).toBe('Connect a device')
  await page.goto(`${environment().baseUrl}/account`)
  await button(page, 'Sign out').click()
  expect(await page.getByRole('main').innerText()).toContain('You are signed out')
})
