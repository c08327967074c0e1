/**
 * Repeated payments on the pages: the remaining limits, the applications that may pay, the mandates that consent
 * continues, and the ended mandates.
 */

import { randomUUID } from 'node:crypto'
import { type ApiClient, createServiceClient } from '@financial-agents/testkit/client'
import { isDeep } from '@financial-agents/testkit/deep'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerOf } from '../owner.test-helper.ts'
import { activeMandate, beneficiaryBody, mandateBody, settledResource } from '../stack.test-helper.ts'
import { applicationNamed } from './application.ts'
import { order } from './control.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { button, heading, openAccount, press } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

/** The card of the payments to this payee. An application's card may name the payee too, in what it did last. */
const cardOf = (page: Page, payeeName: string) =>
  page.getByRole('article').filter({ has: page.getByRole('heading', { name: payeeName }) })

async function agentOfInes() {
  const { baseUrl, clients } = environment()
  const seeded = clients.find(({ client_id }) => client_id === 'ines-agent')
  if (seeded?.profile !== 'service') throw new Error('the stack has no ines-agent')
  const agent = await createServiceClient({ baseUrl, clientId: 'ines-agent', privateKeyFile: seeded.private_key_file })
  await agent.authorize('beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw')
  return agent
}

async function payee(agent: ApiClient, name: string): Promise<string> {
  const made = await agent.request('POST', '/v1/beneficiaries', { key: randomUUID(), body: beneficiaryBody(name) })
  const id = made.body['resource_id'] as string
  await settledResource(agent, `/v1/beneficiaries/${id}`, 'active')
  return id
}

test('the owner sees the payee and the remaining amounts, and ended mandates separately', async () => {
  const agent = await agentOfInes()
  const owner = ownerOf(environment(), 'ines')
  const name = `Landlord ${randomUUID().slice(0, 8)}`
  const mandate = await activeMandate(agent, owner, mandateBody(await payee(agent, name), { total_cap: '900' }))
  const paid = await agent.request('POST', `/v1/mandates/${mandate}/transfers`, {
    key: randomUUID(),
    body: { amount: '12.5', currency: 'EUR', reference: 'Rent' },
  })
  expect(paid.status, JSON.stringify(paid.body)).toBe(202)

  const page = await newVisitor()
  await openAccount(page, 'ines')
  const card = await cardOf(page, name).innerText()
  expect(card).toContain('In force')
  expect(card).toContain('At most EUR 100.00')
  expect(card).toContain('EUR 187.50 left of EUR 200.00')
  expect(card).toContain('EUR 887.50 left of EUR 900.00')
  expect(card).toContain('99 left of 100')
  // The payment is under way or paid by now; it is counted once.
  expect(card).toMatch(/EUR (12\.50 spent, EUR 0\.00|0\.00 spent, EUR 12\.50) under way/)
  expect(card).toMatch(/(1 made, 0|0 made, 1) under way/)
  expect(card).not.toContain('not known right now')
  await look(page, 'account-repeated-payments')
  await page
    .getByRole('article')
    .filter({ hasText: name })
    .getByRole('link', { name: /^Its payments/ })
    .click()
  expect(await heading(page)).toBe('Activity')
  expect(await page.getByRole('row').filter({ hasText: name }).innerText()).toContain('EUR 12.50')
  await look(page, 'activity-of-a-mandate')
  await page.getByRole('link', { name: 'Make one of the repeated payments' }).click()
  const receipt = await page.getByRole('main').innerText()
  for (const words of ['EUR 12.50', name, 'Our reference', 'Accepted']) expect(receipt).toContain(words)
  await look(page, 'activity-payment')
  await page.getByRole('link', { name: 'All activity' }).click()
  await page.getByLabel('What').selectOption('payments')
  await button(page, 'Filter').click()
  expect(await page.getByRole('row').filter({ hasText: name }).count()).toBe(1)
  await look(page, 'activity-payments')
  await page.getByRole('link', { name: 'Your account', exact: true }).click()
  await cardOf(page, "Ines's agent")
    .getByRole('link', { name: /^Everything about it/ })
    .click()
  expect(await page.getByRole('main').innerText()).toMatch(/Today\s+EUR \d+\.\d\d/)
  await look(page, 'application')
  await page.getByLabel('Name', { exact: true }).fill('Rent robot')
  await button(page, 'Save name').click()
  expect(await page.getByRole('main').innerText()).toContain('Rent robot')
  await look(page, 'application-named')
  await page.getByLabel('Name', { exact: true }).fill('')
  await button(page, 'Save name').click()
  await page.getByRole('link', { name: 'Your account', exact: true }).click()

  await cardOf(page, name)
    .getByRole('link', { name: /^Pause or end/ })
    .click()
  await look(page, 'mandate')
  await page.getByRole('link', { name: 'Lower the limits' }).click()
  await look(page, 'mandate-limits')
  await page.getByLabel('In all').fill('900,01')
  await button(page, 'Lower limits').click()
  expect(await page.getByLabel('In all').getAttribute('aria-invalid')).toBe('true')
  await look(page, 'mandate-limits-wrong')
  await page.getByLabel('In all').fill('500')
  await button(page, 'Lower limits').click()
  expect(await page.getByRole('main').innerText()).toContain('EUR 487.50 left of EUR 500.00')
  const lowered = await agent.request('GET', `/v1/mandates/${mandate}`)
  expect(lowered.body).toMatchObject({ total_cap: '500.00', monthly_max: '400.00', state: 'active' })
  await button(page, 'End').click()
  expect(await page.getByRole('main').innerText()).toContain('These payments are being ended')
  await look(page, 'account-mandate-ending')
  await settledResource(agent, `/v1/mandates/${mandate}`, 'revoked')
  await page.reload()
  expect(await cardOf(page, name).count()).toBe(0)
  await page.getByText(/^Those that are over/).click()
  expect(await page.getByRole('row').filter({ hasText: name }).innerText()).toContain('Ended')
  await look(page, 'account-repeated-payments-over')
})

test('consent lists the mandates that name the application, unticked; ticking one authorizes the application, and the account page says so', async () => {
  const agent = await agentOfInes()
  const owner = ownerOf(environment(), 'ines')
  const names = ['Rent', 'Power'].map((what) => `${what} ${randomUUID().slice(0, 8)}`) as [string, string]
  const authorized_clients = ['ines-agent', 'tally']
  for (const name of names)
    await activeMandate(agent, owner, mandateBody(await payee(agent, name), { authorized_clients }))
  const page = await newVisitor()
  // Ends any earlier grant of the application, and with it the grant's authority over mandates.
  await openAccount(page, 'ines')
  const end = page.getByRole('button', { name: 'End access of Tally' })
  if ((await end.count()) > 0) await end.click()
  const application = await applicationNamed('tally')
  const authorization = await application.open(page, { prompt: 'consent' })
  const [rent, power] = names.map((name) => page.getByRole('checkbox', { name })) as [Locator, Locator]
  expect([await rent.isChecked(), await power.isChecked()]).toEqual([false, false])
  expect(await page.getByRole('main').innerText()).toContain('EUR 500.00 left of EUR 500.00')
  await look(page, 'consent-repeated-payments')
  await rent.check()
  await application.redeem(await press(authorization, button(page, 'Allow')), authorization.request)

  await page.goto(`${environment().baseUrl}/account`)
  expect(await cardOf(page, names[0]).innerText()).toMatch(
    /Can pay now\s+(Ines's agent\s+Tally|Tally\s+Ines's agent)\s/,
  )
  expect(await cardOf(page, names[1]).innerText()).toMatch(/Can pay now\s+Ines's agent\s+Each time/)
  await look(page, 'account-repeated-payments-of-two')
})

test('without operations the page does not split what is used, and says so in every language', async () => {
  const agent = await agentOfInes()
  const name = `Gardener ${randomUUID().slice(0, 8)}`
  const mandate = await activeMandate(
    agent,
    ownerOf(environment(), 'ines'),
    mandateBody(await payee(agent, name), { total_cap: '900' }),
  )
  const body = { amount: '12.5', currency: 'EUR', reference: 'Garden' }
  const paid = await agent.request('POST', `/v1/mandates/${mandate}/transfers`, { key: randomUUID(), body })
  expect(paid.status, JSON.stringify(paid.body)).toBe(202)
  const page = await newVisitor()
  await openAccount(page, 'ines')
  const path = `${environment().baseUrl}/account/mandates/${mandate}`
  await order({ do: 'stop', service: 'operations' })
  try {
    await page.goto(path)
    const card = await cardOf(page, name).innerText()
    expect(card).toContain('EUR 887.50 left of EUR 900.00')
    expect(card).toContain('EUR 12.50 spent or under way')
    expect(card).toContain('1 made or under way')
    expect(card).toContain('The part of this that is still under way is not known right now.')
    expect(card).not.toMatch(/spent,|made,/)
    await look(page, 'mandate-not-split')
    for (const [language, words] of [
      ['de', 'zurzeit nicht bekannt'],
      ['pt', 'De momento não se sabe'],
      ['fr', 'On ne sait pas pour l’instant'],
      ['ar', 'لا يُعرف حاليًا'],
    ] as const) {
      await page.context().addCookies([{ name: 'language', value: language, url: environment().baseUrl }])
      await page.goto(path)
      expect(await cardOf(page, name).innerText()).toContain(words)
      if (isDeep) await look(page, `mandate-not-split-${language}`)
    }
    await page.goto(`${environment().baseUrl}/account`)
    await look(page, 'account-not-split-ar')
  } finally {
    await order({ do: 'start', service: 'operations' })
  }
  await page.goto(path)
  await look(page, 'mandate-split-ar')
})

test('without beneficiaries the page says that they cannot be shown, and everything else is there', async () => {
  const page = await newVisitor()
  await order({ do: 'stop', service: 'beneficiaries' })
  try {
    await openAccount(page, 'ines')
    const main = await page.getByRole('main').innerText()
    expect(main).toContain('Repeated payments cannot be shown now')
    expect(main).toContain('Who can act for you')
    await look(page, 'account-without-repeated-payments')
  } finally {
    await order({ do: 'start', service: 'beneficiaries' })
  }
})
