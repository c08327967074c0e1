/** The operators' steps in their console, and operations for them to see. */

import { randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { beneficiaryBody } from '../stack.test-helper.ts'
import type { Application } from './application.ts'
import { environment } from './environment.ts'
import { button } from './steps.ts'

/** The people of the development identity provider: one may suspend, one may only read, one is in no group. */
export const operators = { jonas: 'Jonas Brandt', marta: 'Marta Vidal', lena: 'Lena Okoye' } as const

export const opsUrl = (path = '/ops') => environment().baseUrl + path

export const main = (page: Page): Promise<string> => page.getByRole('main').innerText()

/** The cookies of operators who signed in for a test before. */
const sessions = new Map<keyof typeof operators, Awaited<ReturnType<BrowserContext['cookies']>>>()

/** Opens a page of the console. Signs in if the operator's session of an earlier test is over, or there was none. */
export async function signInAs(page: Page, operator: keyof typeof operators, path?: string): Promise<void> {
  const context = page.context()
  await context.addCookies(sessions.get(operator) ?? [])
  await page.goto(opsUrl(path))
  const signIn = button(page, 'Sign in')
  if ((await signIn.count()) === 0) return
  await signIn.click()
  await chooseAtProvider(page, operator)
  sessions.set(operator, await context.cookies(opsUrl()))
}

/** Chooses a person at the identity provider; resolves when the browser is back, because no click waits for that. */
export async function chooseAtProvider(page: Page, operator: keyof typeof operators): Promise<void> {
  await page.getByRole('button', { name: operators[operator] }).click()
  const { origin } = new URL(environment().baseUrl)
  await page.waitForURL((url) => url.origin === origin)
}

/** Creates a beneficiary as an application; returns the id of its operation. */
export async function createBeneficiary(application: Application, name: string): Promise<string> {
  const headers = { 'Idempotency-Key': randomUUID() }
  const created = await application.request('POST', '/v1/beneficiaries', beneficiaryBody(name), headers)
  expect(created.status, JSON.stringify(created.body)).toBe(202)
  return created.body['id'] as string
}

/** The state of an operation as its client sees it. */
export async function stateOf(application: Application, id: string): Promise<string> {
  return (await application.request('GET', `/v1/operations/${id}`)).body['state'] as string
}

export const unique = (word: string) => `${word} ${randomUUID().slice(0, 8)}`
