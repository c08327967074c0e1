/** The owner confirms or declines one request of an application, shown as a table of facts. */

import { randomUUID } from 'node:crypto'
import { createServiceClient } from '@financial-agents/testkit/client'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { beneficiaryBody, mandateBody, settledResource } from '../stack.test-helper.ts'
import { order } from './control.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { button, heading, openAccount, openSignedIn, type Person, signIn } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

/** Creates a disconnect intent as a service account of the owner. */
async function askToConfirm() {
  const { baseUrl, clients } = environment()
  const seeded = clients.find(({ client_id }) => client_id === 'ines-agent')
  if (seeded?.profile !== 'service') throw new Error('the stack has no ines-agent')
  const agent = await createServiceClient({ baseUrl, clientId: 'ines-agent', privateKeyFile: seeded.private_key_file })
  await agent.authorize('services:read')
  const body = { action: 'service_disconnect', request: { path: '/v1/service-connections/current' } }
  const { body: intent } = await agent.request('POST', '/v1/confirmation-intents', { body })
  return {
    intent,
    status: async () => (await agent.request('GET', `/v1/confirmation-intents/${intent.id}`)).body.status,
  }
}

/** Opens what waits, if more than a few things wait. */
async function unfoldWaiting(page: Page): Promise<void> {
  for (const summary of await page.locator('.waiting summary').all()) await summary.click()
}

/** The first line of the summary, which we write. */
const opening = (intent: { [member: string]: string }) => intent['summary']?.split('\n')[0] ?? 'nothing'

async function open(url: string, person: Person = 'ines') {
  const page = await newVisitor()
  await openSignedIn(page, person, url)
  return page
}

test('the owner signs in afresh, reads what the application was given, with the names, and confirms once', async () => {
  const { intent, status } = await askToConfirm()
  const page = await newVisitor()
  await page.goto(intent.confirmation_url)
  expect(await heading(page)).toBe('Sign in to confirm')
  expect(await page.getByRole('main').innerText()).not.toContain(opening(intent))
  await look(page, 'confirm-sign-in')
  await signIn(page, 'ines')
  expect(await page.getByRole('main').innerText()).toContain(opening(intent))
  expect(await page.getByRole('definition').allInnerTexts()).toContainEqual(expect.stringContaining("Ines's reader"))
  expect(JSON.stringify(intent)).not.toContain("Ines's reader")
  await look(page, 'confirm')
  await button(page, 'Confirm').click()
  expect(await heading(page)).toBe('Confirmed')
  await look(page, 'confirmed')
  expect(await status()).toBe('confirmed')
})

test('a declined request stays declined', async () => {
  const { intent, status } = await askToConfirm()
  const page = await open(intent.confirmation_url)
  await button(page, 'Decline').click()
  expect(await heading(page)).toBe('Declined')
  await look(page, 'confirm-declined')
  expect(await status()).toBe('declined')
})

test('a confirmation is taken back from another tab, and no tab confirms it again', async () => {
  const { intent, status } = await askToConfirm()
  const first = await open(intent.confirmation_url)
  const second = await first.context().newPage()
  const third = await first.context().newPage()
  for (const tab of [second, third]) await tab.goto(intent.confirmation_url)
  await button(first, 'Confirm').click()
  expect(await heading(first)).toBe('Confirmed')
  expect(await status()).toBe('confirmed')
  await button(second, 'Decline').click()
  expect(await heading(second)).toBe('Declined')
  expect(await status()).toBe('declined')
  await button(third, 'Confirm').click()
  expect(await heading(third)).toBe('Declined')
  await button(first, 'Take it back').click()
  expect(await heading(first)).toBe('Declined')
  expect(await status()).toBe('declined')
})

test('somebody else sees nothing of it', async () => {
  const { intent, status } = await askToConfirm()
  const page = await open(intent.confirmation_url, 'amara')
  expect(await heading(page)).toBe('There is nothing to confirm here')
  expect(await page.getByRole('main').innerText()).not.toContain(opening(intent))
  await look(page, 'confirm-not-yours')
  expect(await status()).toBe('pending')
})

test('after ten minutes it is too late', async () => {
  const { intent } = await askToConfirm()
  await order({ do: 'move-clock', services: ['operations'], offsetMs: 601_000 })
  const page = await open(intent.confirmation_url)
  expect(await heading(page)).toBe('Too late')
  await look(page, 'confirm-too-late')
})

test('after a confirmation the browser goes on to the provider, and what waits stands first on the account page', async () => {
  const { baseUrl, clients, providerUrl } = environment()
  const seeded = clients.find(({ client_id }) => client_id === 'ines-agent')
  if (seeded?.profile !== 'service') throw new Error('the stack has no ines-agent')
  const agent = await createServiceClient({ baseUrl, clientId: 'ines-agent', privateKeyFile: seeded.private_key_file })
  await agent.authorize('beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw')
  const made = await agent.request('POST', '/v1/beneficiaries', {
    key: randomUUID(),
    body: beneficiaryBody('Landlord'),
  })
  const payee = String(made.body['resource_id'])
  await settledResource(agent, `/v1/beneficiaries/${payee}`, 'active')
  const request = { path: '/v1/mandates', body: mandateBody(payee) }
  const { body: intent } = await agent.request('POST', '/v1/confirmation-intents', {
    body: { action: 'mandate_create', request },
  })
  const page = await newVisitor()
  await openAccount(page, 'ines')
  expect(await page.getByRole('main').innerText()).toMatch(
    /An application asks you to confirm|Applications ask you to confirm/,
  )
  await look(page, 'account-waiting')
  await unfoldWaiting(page)
  await page.locator(`a[href="/confirm/${intent['id']}"]`).click()
  const facts = await page.locator('dl').first().innerText()
  expect(facts).toMatch(/Added\n.*20\d\d/)
  expect(facts).toMatch(/Named by\nInes's agent/)
  expect(facts).toMatch(/Name checked\nBy nobody that we know of/)
  await look(page, 'confirm-repeated-payments')
  const arabic = await newVisitor({ language: 'ar' })
  await arabic.context().addCookies(await page.context().cookies())
  await arabic.context().addCookies([{ name: 'language', value: 'ar', url: baseUrl }])
  await arabic.goto(page.url())
  expect(await arabic.locator('dd > div > bdi[dir=rtl]').count()).toBeGreaterThan(5)
  await look(arabic, 'confirm-repeated-payments-ar')
  await button(page, 'Confirm').click()
  const status = async () => (await agent.request('GET', `/v1/confirmation-intents/${intent['id']}`)).body['status']
  await expect.poll(status, { timeout: 120_000 }).toBe('confirmed')
  const headers = { 'Confirmation-Intent-ID': String(intent['id']) }
  const sent = await agent.request('POST', '/v1/mandates', { key: randomUUID(), body: request.body, headers })
  expect(sent.status).toBe(202)
  const atProvider = () => new URL(page.url()).origin === new URL(providerUrl).origin
  // The page goes on by itself. On a slow machine it may give up waiting and show a link instead.
  const goesOn = async () => {
    const link = page.getByRole('link', { name: 'Go on', exact: true })
    if (!atProvider() && (await link.isVisible())) await link.click({ timeout: 1_000 }).catch(() => {})
    return atProvider()
  }
  await expect.poll(goesOn, { timeout: 120_000, interval: 5_000 }).toBe(true)
  await page.goto(`${baseUrl}/account`)
  await unfoldWaiting(page)
  expect(await page.getByRole('link', { name: 'Go to your provider' }).count()).toBe(1)
  await look(page, 'account-waiting-for-approval')
  await page.getByRole('link', { name: 'Go to your provider' }).click()
  await page.waitForURL((url) => url.origin === new URL(providerUrl).origin)
})
