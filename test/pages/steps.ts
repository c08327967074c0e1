/** A person's steps on the pages, named by the words that the person reads. */

import type { Locator, Page } from 'playwright-core'
import type { Application, Authorization } from './application.ts'
import { environment } from './environment.ts'

/** The people of the fake provider. */
export const names = {
  ines: 'Inês Carvalho',
  amara: 'Amara Okafor',
  daniel: 'Daniel Reyes',
  tomasz: 'Tomasz Zieliński',
} as const

export type Person = keyof typeof names

export const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText()

export const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true })

/** Signs in from any page that leads to the provider, on the provider's hosted page. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await button(page, 'Sign in at your provider').click()
  await approve(page, person)
}

export async function approve(page: Page, person: Person): Promise<void> {
  await page.getByRole('radio', { name: names[person] }).check()
  await button(page, 'Approve').click()
}

/** The button that allows an application. It also connects a person who has no connection yet. */
export const allowButton = (page: Page): Locator => button(page, /^(?:Connect and allow|Allow)$/)

/** Signs in on the account page. */
export async function openAccount(page: Page, person: Person): Promise<void> {
  const { href } = new URL('/account', environment().baseUrl)
  await page.goto(href)
  await signIn(page, person)
  await page.waitForURL(href)
}

/** Presses a button that redirects the browser to the application; returns the address. */
export async function press(authorization: Authorization, locator: Locator): Promise<URL> {
  const [answer] = await Promise.all([authorization.comesBack(), locator.click()])
  return answer
}

/** Runs all the way to tokens, for tests that begin there. */
export async function allow(
  page: Page,
  application: Application,
  person: Person,
  parameters: Record<string, string> = {},
): Promise<void> {
  const authorization = await application.open(page, { ...parameters, prompt: 'login consent' })
  await signIn(page, person)
  const answer = await press(authorization, allowButton(page))
  await application.redeem(answer, authorization.request)
}
