/** The owner confirms or declines one request of an application, shown as a table of facts. */

import { createServiceClient } from '@financial-agents/testkit/client'
import { expect, test } from 'vitest'
import { order } from './control.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { button, heading, type Person, signIn } from './steps.ts'
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

/** The first line of the summary, which we write. */
const opening = (intent: { [member: string]: string }) => intent['summary']?.split('\n')[0] ?? 'nothing'

async function open(url: string, person: Person = 'ines') {
  const page = await newVisitor()
  await page.goto(url)
  await signIn(page, person)
  return page
}

test('the owner signs in afresh, reads what the application was told, with the names, and confirms once', async () => {
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
