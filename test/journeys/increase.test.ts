/**
 * An owner whose binding is at Increase, through all services and the fake of Increase: a mandate is kept by the system alone, and a
 * transfer under it reaches Increase as a transfer, once.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { apiKey, type Fake, startFake } from '@financial-agents/provider-increase/testing/fake'
import { createSealer, sealingKeys } from '@financial-agents/runtime/sealing'
import type { ApiClient } from '@financial-agents/testkit/client'
import { type FakeProvider, startFakeProvider } from '@financial-agents/testkit/fake-provider'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import {
  activeMandate,
  clientOf,
  confirmedWrite,
  mandateBody,
  pollUntil,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const scopes = 'beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw'
const CREDENTIAL_KEYS = `k:${randomBytes(32).toString('base64')}`

let stack: TestStack
let signIn: FakeProvider
let increase: Fake
let client: ApiClient
let ines: Owner
let mandate: string

beforeAll(async () => {
  ;[signIn, increase] = await Promise.all([startFakeProvider(), startFake()])
  stack = await startTestStack({
    enabledCapabilities: ['transfers.execute'],
    environment: {
      all: {
        CREDENTIAL_KEYS,
        PROVIDER_ADAPTERS: 'fake=http,bank=increase',
        PROVIDER_FAKE__URL: signIn.url,
        PROVIDER_BANK__URL: increase.url,
        PROVIDER_BANK__API_KEY: apiKey,
        PROVIDER_BANK__ENVIRONMENT: 'sandbox',
      },
      authz: { PROVIDER_PAGES_ORIGIN: new URL(signIn.url).origin },
    },
  })
  client = await clientOf(stack, 'ines-agent', scopes)
  ines = ownerOf({ baseUrl: stack.baseUrl, providerUrl: signIn.url }, 'ines')
  // Increase has no sign-in. The owner signs in at the seeded provider, and her binding is then moved to Increase.
  await ines.read(`${stack.baseUrl}/account`)
  await bindToIncrease()
})
afterAll(async () => {
  await stack?.close()
  await Promise.all([signIn?.stop(), increase?.close()])
})

async function bindToIncrease(): Promise<void> {
  const database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  const of = `owner_id = '01980000-0000-7000-8000-000000000001' AND status = 'connected'`
  const { rows } = await database.query<{ id: string }>(`SELECT id FROM onboarding.bindings WHERE ${of}`)
  const id = rows[0]?.id ?? ''
  const credentials = Buffer.from(JSON.stringify({ account_id: 'account_first' }))
  const sealed = createSealer(sealingKeys.parse(CREDENTIAL_KEYS)).seal(credentials, id)
  const change = `UPDATE onboarding.bindings SET provider = 'bank', credentials_sealed = $1 WHERE id = $2`
  expect((await database.query(change, [sealed, id])).rowCount).toBe(1)
  await database.end()
}

const transfers = () => increase.exchanged.filter(({ method, path }) => method === 'POST' && path === '/ach_transfers')

const pay = (amount: string) =>
  client.request('POST', `/v1/mandates/${mandate}/transfers`, {
    key: randomUUID(),
    body: { amount, currency: 'USD', reference: 'October rent' },
  })

test('a mandate becomes active without a request to Increase', async () => {
  const payee = await client.request('POST', '/v1/beneficiaries', {
    key: randomUUID(),
    body: {
      name: 'Wendell Ortiz',
      country: 'US',
      currency: 'USD',
      payout_schema_id: 'ach_us_usd',
      details: { routing_number: '101050001', account_number: '987654321', account_type: 'checking' },
    },
  })
  expect(payee).toMatchObject({ status: 202 })
  const beneficiary = payee.body['resource_id'] as string
  await settledResource(client, `/v1/beneficiaries/${beneficiary}`, 'active')
  const before = increase.mutations()
  mandate = await activeMandate(client, ines, mandateBody(beneficiary))
  expect(increase.mutations()).toBe(before)
})

test('a transfer under it reaches Increase as one transfer to the beneficiary', async () => {
  const accepted = await pay('12.50')
  await pollUntil(client, accepted.body['id'], ['succeeded'])
  expect(increase.arrivals(accepted.body['id'])).toBe(1)
  expect(transfers().at(-1)?.body).toMatchObject({ amount: 1_250, statement_descriptor: 'October rent' })
})

test('its caps are validated here: a payment beyond them is refused, and nothing is sent', async () => {
  const before = increase.mutations()
  expect(await pay('100.01')).toMatchObject({ body: { code: 'mandate_cap_exceeded' } })
  expect(increase.mutations()).toBe(before)
})

test('revoked, it pays nothing more, and Increase is not asked', async () => {
  const before = increase.mutations()
  const revoked = await confirmedWrite(client, ines, 'mandate_revoke', { path: `/v1/mandates/${mandate}/revoke` })
  await pollUntil(client, revoked.body['id'], ['succeeded'])
  await settledResource(client, `/v1/mandates/${mandate}`, 'revoked')
  expect(await pay('1')).toMatchObject({ status: 409, body: { code: 'mandate_not_active' } })
  expect(increase.mutations()).toBe(before)
})
