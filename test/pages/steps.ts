/** A person's steps on the pages, named by the words that the person reads. */

import type { Locator, Page } from 'playwright-core'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
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

/** The words of the button that allows an application. It also connects a person who has no connection yet. */
const allowWords = /^(?:Connect and allow|Allow)$/

export const allowButton = (page: Page): Locator => button(page, allowWords)

/** Signs the browser in, without visiting the pages of a sign-in with it. Their own tests do that. */
export async function signInBefore(page: Page, person: Person, url = accountUrl()): Promise<void> {
  const owner = ownerOf(environment(), person)
  await owner.read(url)
  await takeCookies(page, owner)
}

/** Opens a page of ours, signed in. */
export async function openSignedIn(page: Page, person: Person, url: string): Promise<void> {
  await signInBefore(page, person, url)
  await page.goto(url)
}

const accountUrl = () => new URL('/account', environment().baseUrl).href

export const openAccount = (page: Page, person: Person): Promise<void> => openSignedIn(page, person, accountUrl())

async function takeCookies(page: Page, owner: Owner): Promise<void> {
  const { baseUrl: url } = environment()
  const cookies = Object.entries(await owner.cookies()).map(([name, value]) => ({ name, value, url }))
  await page.context().addCookies(cookies)
}

/** Presses a button that redirects the browser to the application; returns the address. */
export async function press(authorization: Authorization, locator: Locator): Promise<URL> {
  const [answer] = await Promise.all([authorization.comesBack(), locator.click()])
  return answer
}

/** Gets the application its tokens without Chromium, for tests that begin there, and leaves the browser signed in. */
export async function allow(
  page: Page,
  application: Application,
  person: Person,
  parameters: Record<string, string> = {},
): Promise<void> {
  const owner = ownerOf(environment(), person)
  const request = await application.authorize(application.redirectUri, { ...parameters, prompt: 'login consent' })
  const answer = await owner.leave(await owner.read(request.url.href), allowWords)
  await application.redeem(answer, request)
  await takeCookies(page, owner)
}
