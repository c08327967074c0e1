/**
 * An application's limits through all services: as the owner sees and changes them, and as the application meets them
 * from grant to grant.
 */

import { randomUUID } from 'node:crypto'
import { type ApplicationClient, createApplicationClient } from '@financial-agents/testkit/application-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wordsOf } from '../authorization/page.ts'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import { beneficiaryBody, startTestStack, type TestStack } from '../stack.test-helper.ts'

const scope = 'openid beneficiaries:read beneficiaries:write operations:read spending:withdraw'
const eventually = { timeout: 120_000, interval: 50 }

let stack: TestStack
let ines: Owner
/** Registered with limits of 50 EUR for each payment and 100 EUR for a day. */
let tally: ApplicationClient
let redirectUri: string
let beneficiary_id: string

beforeAll(async () => {
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute'] })
  ines = ownerOf(stack, 'ines')
  const registered = stack.clients.find(({ client_id }) => client_id === 'tally')
  if (!registered || registered.profile === 'service') throw new Error('the stack has no application tally')
  tally = await createApplicationClient(stack.baseUrl, registered)
  redirectUri = registered.redirect_uris[0] as string
  await allow()
  const headers = { 'Idempotency-Key': randomUUID() }
  const created = await tally.request('POST', '/v1/beneficiaries', beneficiaryBody('Rui Prado'), headers)
  beneficiary_id = created.body['resource_id'] as string
  await vi.waitFor(async () => {
    const { body } = await tally.request('GET', `/v1/beneficiaries/${beneficiary_id}`)
    expect(body['state']).toBe('active')
  }, eventually)
})
afterAll(() => stack?.close())

async function allow(): Promise<void> {
  const request = await tally.authorize(redirectUri, { scope, prompt: 'consent' })
  await tally.redeem(await ines.leave(await ines.read(request.url.href), /^allow$/i), request)
}

function withdraw(amount: string) {
  const body = { beneficiary_id, amount, currency: 'EUR' }
  return tally.request('POST', '/v1/spending-account/withdrawals', body, { 'Idempotency-Key': randomUUID() })
}

const refused = (detail: string) => ({
  status: 409,
  body: { code: 'grant_ceiling_exceeded', detail: expect.stringContaining(detail) as string },
})

async function changeLimits(changes: Record<string, string>): Promise<string> {
  const account = await ines.read(`${stack.baseUrl}/account`)
  const page = await ines.press(account, /^Change limits of Tally$/)
  return wordsOf(await ines.press(page, /^Save limits$/, changes))
}

test('a new grant on the same day goes on with what the one before it spent', async () => {
  expect((await withdraw('50')).status).toBe(202)
  expect((await withdraw('48')).status).toBe(202)
  expect(await withdraw('3')).toMatchObject(
    refused('per_day: at most 100.00 EUR in a UTC day, of which 2.00 EUR remain'),
  )
  const account = await ines.read(`${stack.baseUrl}/account`)
  expect(wordsOf(account)).toContain('Move money, up to EUR 50.00 each time, up to EUR 100.00 a day (UTC)')
  const ended = await ines.press(account, /^End access of Tally$/)
  expect(wordsOf(ended)).toContain('Access ended')
  await allow()
  expect(await withdraw('3')).toMatchObject(refused('of which 2.00 EUR remain'))
})

test('a limit that the owner lowers refuses, and raised again after her sign-in lets through', async () => {
  expect(await changeLimits({ per_payment: '1' })).toContain('Limits changed')
  // This amount also exceeds the rest of the day. Until the new limit is known, the refusal names that rule.
  await expect.poll(() => withdraw('3'), eventually).toMatchObject(refused('per_payment: at most 1.00 EUR'))
  expect(await changeLimits({ per_payment: '60' })).toContain('Enter EUR 50.00 or less')
  expect(await changeLimits({ per_payment: '2' })).toContain('Limits changed')
  await expect.poll(async () => (await withdraw('2')).status, eventually).toBe(202)
  expect(await withdraw('0.01')).toMatchObject(refused('of which 0.00 EUR remain'))
})

test('the application lists what it paid under both grants', async () => {
  const { body } = await tally.request('GET', `/v1/transfers?beneficiary_id=${beneficiary_id}`)
  const amounts = (body['items'] as { amount: { amount: string } }[]).map(({ amount }) => amount.amount)
  expect(amounts).toEqual(['2.00', '48.00', '50.00'])
})
