/** Repeated payments on the account page: what is left of each bound while payments are made, and when they are over. */

import { randomUUID } from 'node:crypto'
import { createServiceClient } from '@financial-agents/testkit/client'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerOf } from '../owner.test-helper.ts'
import { activeMandate, beneficiaryBody, confirmedWrite, mandateBody, settledResource } from '../stack.test-helper.ts'
import { order } from './control.ts'
import { environment } from './environment.ts'
import { look } from './look.ts'
import { openAccount } from './steps.ts'
import { newVisitor, useBrowser } from './visitor.ts'

useBrowser()

const cardOf = (page: Page, name: string) => page.getByRole('article').filter({ hasText: name })

async function agentOfInes() {
  const { baseUrl, clients } = environment()
  const seeded = clients.find(({ client_id }) => client_id === 'ines-agent')
  if (seeded?.profile !== 'service') throw new Error('the stack has no ines-agent')
  const agent = await createServiceClient({ baseUrl, clientId: 'ines-agent', privateKeyFile: seeded.private_key_file })
  await agent.authorize('beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw')
  return agent
}

test('the owner sees whom they pay and what is left; those that are ended are told apart', async () => {
  const agent = await agentOfInes()
  const owner = ownerOf(environment(), 'ines')
  const name = `Landlord ${randomUUID().slice(0, 8)}`
  const made = await agent.request('POST', '/v1/beneficiaries', { key: randomUUID(), body: beneficiaryBody(name) })
  await settledResource(agent, `/v1/beneficiaries/${made.body['resource_id']}`, 'active')
  const mandate = await activeMandate(
    agent,
    owner,
    mandateBody(made.body['resource_id'] as string, { total_cap: '900' }),
  )
  const paid = await agent.request('POST', `/v1/mandates/${mandate}/transfers`, {
    key: randomUUID(),
    body: { amount: '12.5', currency: 'EUR', reference: 'Rent' },
  })
  expect(paid.status, JSON.stringify(paid.body)).toBe(202)

  const page = await newVisitor()
  await openAccount(page, 'ines')
  const card = await cardOf(page, name).innerText()
  expect(card).toContain('In force')
  expect(card).toContain('At most 100.00 EUR')
  expect(card).toContain('187.50 EUR left of 200.00 EUR')
  expect(card).toContain('887.50 EUR left of 900.00 EUR')
  expect(card).toContain('99 left of 100')
  await look(page, 'account-repeated-payments')

  const path = `/v1/mandates/${mandate}/revoke`
  expect((await confirmedWrite(agent, owner, 'mandate_revoke', { path })).status).toBe(202)
  await settledResource(agent, `/v1/mandates/${mandate}`, 'revoked')
  await page.reload()
  expect(await cardOf(page, name).count()).toBe(0)
  await page.getByText(/^Those that are over/).click()
  expect(await page.getByRole('row').filter({ hasText: name }).innerText()).toContain('Ended')
  await look(page, 'account-repeated-payments-over')
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
