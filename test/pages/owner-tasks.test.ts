/**
 * Twelve tasks of an owner on the account page, each with the number of clicks that it takes from there. A field that is
 * filled in or chosen is no click. A change that makes a task longer fails here.
 */

import { randomUUID } from 'node:crypto'
import { createServiceClient } from '@financial-agents/testkit/client'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerOf } from '../owner.test-helper.ts'
import { activeMandate, beneficiaryBody, mandateBody, settledResource } from '../stack.test-helper.ts'
import { environment } from './environment.ts'
import { button, openAccount } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const application = "Ines's agent"
const main = (page: Page) => page.getByRole('main').innerText()
const card = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })

/** Prepares a payee, a mandate and a payment under it. Returns the payee's name. */
async function prepare(): Promise<string> {
  const { baseUrl, clients } = environment()
  const seeded = clients.find(({ client_id }) => client_id === 'ines-agent')
  if (seeded?.profile !== 'service') throw new Error('the stack has no ines-agent')
  const agent = await createServiceClient({ baseUrl, clientId: 'ines-agent', privateKeyFile: seeded.private_key_file })
  await agent.authorize('beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw')
  const name = `Tasks ${randomUUID().slice(0, 8)}`
  const made = await agent.request('POST', '/v1/beneficiaries', { key: randomUUID(), body: beneficiaryBody(name) })
  const beneficiary = made.body['resource_id'] as string
  await settledResource(agent, `/v1/beneficiaries/${beneficiary}`, 'active')
  const mandate = await activeMandate(agent, ownerOf(environment(), 'ines'), mandateBody(beneficiary))
  const body = { amount: '12.5', currency: 'EUR', reference: 'Rent' }
  const paid = await agent.request('POST', `/v1/mandates/${mandate}/transfers`, { key: randomUUID(), body })
  expect(paid.status, JSON.stringify(paid.body)).toBe(202)
  return name
}

test('the tasks of an owner take no more clicks than these', async () => {
  const payee = await prepare()
  const page = await newVisitor()
  await openAccount(page, 'ines')
  const account = page.url()
  const clicks: Record<string, number> = {}
  let clicked = 0
  const click = async (name: string | RegExp, inside?: string) => {
    const place = inside === undefined ? page : card(page, inside)
    await place.getByRole('link', { name }).or(place.getByRole('button', { name })).first().click()
    clicked += 1
  }
  const task = async (name: string, flow: () => Promise<void>, seen: string | RegExp) => {
    await page.goto(account)
    clicked = 0
    await flow()
    expect(await main(page), name).toMatch(seen)
    clicks[name] = clicked
  }

  await task('see what an application paid today', async () => {}, /Today\s+EUR [\d.,]+\s+This month/)
  await task('see what is left of a repeated payment', async () => {}, 'EUR 187.50 left of EUR 200.00')
  await task('see everything that an application may', () => click(/^Everything about it/, application), 'Since')
  await task('see the payments of one repeated payment', () => click(/^Its payments/, payee), 'EUR 12.50')
  const receipt = async () => {
    await click(/^Its payments/, payee)
    await click('Make one of the repeated payments')
  }
  await task('get the receipt of a payment', receipt, 'Our reference')
  const month = async () => {
    await click('Activity')
    await page.getByLabel('Month').selectOption({ index: 1 })
    await click('Filter')
  }
  await task('see the payments of this month', month, payee)
  const name = async (label: string) => {
    await click(/^Everything about it/, application)
    await page.getByLabel('Name', { exact: true }).fill(label)
    await click('Save name')
  }
  await task('name an application', () => name('My agent'), 'My agent')
  await task('take the name away again', () => name(''), 'Your name for this application is removed')
  const lower = async () => {
    await click(/^Pause or end/, payee)
    await click('Lower the limits')
    await page.getByLabel('In all').fill('450')
    await click('Lower limits')
  }
  await task('lower the cap of a repeated payment', lower, 'left of EUR 450.00')
  const pause = async () => {
    await click(/^Pause or end/, payee)
    await click('Pause')
  }
  await task('pause a repeated payment', pause, 'These payments are being paused')
  await task('see what ending the connection stops', () => click('Disconnect…'), application)
  await page.goto(account)
  clicked = 0
  await button(page, 'Sign out').click()
  clicks['sign out'] = clicked + 1
  expect(clicks).toEqual({
    'see what an application paid today': 0,
    'see what is left of a repeated payment': 0,
    'see everything that an application may': 1,
    'see the payments of one repeated payment': 1,
    'get the receipt of a payment': 2,
    'see the payments of this month': 2,
    'name an application': 2,
    'take the name away again': 2,
    'lower the cap of a repeated payment': 3,
    'pause a repeated payment': 2,
    'see what ending the connection stops': 1,
    'sign out': 1,
  })
})
