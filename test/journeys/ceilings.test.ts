/**
 * Limits through all services: they limit every payment of a client, by withdrawal and under mandates, including
 * mandates that another client requested.
 */

import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { ownerOf } from '../owner.test-helper.ts'
import {
  activeMandate,
  clientOf,
  create,
  mandateBody,
  pollUntil,
  providerOf,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const scopes = 'beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw'
const money = (amount: string, currency = 'EUR') => ({ amount, currency })

const policies: Readonly<Record<string, unknown>> = {
  'ines-bookkeeper': { withdrawal_ceilings: { per_payment: money('6'), per_day: money('10') } },
  'ines-reader': { withdrawal_ceilings: { per_day: money('1000', 'GBP') } },
}

let stack: TestStack
let provider: ReturnType<typeof providerOf>
/** This client has no limit. It requests the mandates. */
let client: ApiClient
let bookkeeper: ApiClient
let reader: ApiClient
let beneficiary_id: string
let mandate: string

beforeAll(async () => {
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute'], registerClients: withCeilings })
  provider = providerOf(stack)
  client = await clientOf(stack, 'ines-agent', scopes)
  bookkeeper = await clientOf(stack, 'ines-bookkeeper', scopes)
  reader = await clientOf(stack, 'ines-reader', scopes)
  const made = await create(client, 'Rui Prado')
  beneficiary_id = made.body['resource_id'] as string
  await settledResource(client, `/v1/beneficiaries/${beneficiary_id}`, 'active')
  const authorized_clients = ['ines-agent', 'ines-bookkeeper', 'ines-reader']
  mandate = await activeMandate(client, ownerOf(stack, 'ines'), mandateBody(beneficiary_id, { authorized_clients }))
})
afterAll(() => stack.close())

async function withCeilings(folder: string, { clientsFile }: { clientsFile: string }): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: Record<string, unknown>[] }
  const changed = clients.map((each) => {
    const policy = policies[each['client_id'] as string]
    return policy ? { ...each, scopes: scopes.split(' '), policy } : each
  })
  const file = join(folder, 'clients-with-ceilings.yaml')
  await writeFile(file, stringify({ clients: changed }))
  return file
}

const transfer = (by: ApiClient, amount: string): Promise<ApiResponse> =>
  by.request('POST', `/v1/mandates/${mandate}/transfers`, { key: randomUUID(), body: money(amount) })
const withdraw = (by: ApiClient, amount: string): Promise<ApiResponse> =>
  by.request('POST', '/v1/spending-account/withdrawals', {
    key: randomUUID(),
    body: { beneficiary_id, ...money(amount) },
  })
const refused = (detail: string) => ({
  status: 409,
  body: { code: 'grant_ceiling_exceeded', detail: expect.stringContaining(detail) as string },
})

test('a currency without a ceiling is refused where the grant has any, under a mandate too', async () => {
  for (const answer of [await transfer(reader, '1'), await withdraw(reader, '1')])
    expect(answer).toMatchObject(refused('per_day is in GBP'))
})

test('a mandate that could pass the ceilings is refused when it is asked for, and the ceiling is named', async () => {
  const ask = (changes: Record<string, unknown>) =>
    bookkeeper.request('POST', '/v1/mandates', {
      key: randomUUID(),
      headers: { 'Confirmation-Intent-ID': randomUUID() },
      body: mandateBody(beneficiary_id, changes),
    })
  expect(await ask({ per_payment_max: '7' })).toMatchObject(refused('per_payment: at most 6.00 EUR'))
  expect(await ask({ per_payment_max: '5', daily_max: '10.01' })).toMatchObject(refused('per_day: at most 10.00 EUR'))
  const within = await ask({ per_payment_max: '6', daily_max: '10' })
  expect(within).toMatchObject({ status: 403, body: { code: 'confirmation_required' } })
})

test('many concurrent payments of both kinds reach exactly the daily ceiling', async () => {
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, index) => (index % 2 ? transfer : withdraw)(bookkeeper, '0.5')),
  )
  const accepted = answers.filter(({ status }) => status === 202)
  expect(accepted).toHaveLength(20)
  for (const answer of answers.filter(({ status }) => status !== 202)) expect(answer).toMatchObject(refused('per_day'))
  for (const { body } of accepted) await pollUntil(bookkeeper, body['id'], ['succeeded'])
  for (const pay of [transfer, withdraw])
    expect(await pay(bookkeeper, '0.01')).toMatchObject(refused('of which 0.00 EUR remain'))
  expect((await provider.summary()).repeated).toEqual([])
})

test('they do not limit another client of the owner, and their refusals took nothing from its mandate', async () => {
  const { body } = await client.request('GET', `/v1/mandates/${mandate}`)
  const spent = 200 - Number(body['remaining'].daily)
  const count = 100 - Number(body['remaining'].payments)
  expect(spent).toBe(count / 2)
  expect((await transfer(client, '50')).status).toBe(202)
})
