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

const post = (by: ApiClient, path: string, body: Record<string, unknown>): Promise<ApiResponse> =>
  by.request('POST', path, { key: randomUUID(), body })
const transfers = () => `/v1/mandates/${mandate}/transfers`
const withdrawals = '/v1/spending-account/withdrawals'
const transfer = (by: ApiClient, amount: string) => post(by, transfers(), money(amount))
const withdraw = (by: ApiClient, amount: string) => post(by, withdrawals, { beneficiary_id, ...money(amount) })

/** Checks the payment, makes it, and expects that the check has told what became of it. Returns the check. */
async function checked(by: ApiClient, path: string, body: Record<string, unknown>): Promise<ApiResponse['body']> {
  const check = await by.request('POST', `${path}/check`, { body })
  const { status, body: made } = await post(by, path, body)
  const { refusal } = check.body
  if (status === 202) expect(check).toMatchObject({ status: 200, body: { refusal: null } })
  else if (check.status !== 200)
    expect(check).toMatchObject({ status, body: { code: made['code'], fields: made['fields'] } })
  else {
    const { code, title, detail, fields, retryable } = made
    expect(refusal).toEqual({ code, title, detail, fields, retryable })
  }
  return check.body
}
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

test('a check tells what becomes of a payment, and what is left of every limit', async () => {
  const refusals = [
    [withdrawals, { beneficiary_id, ...money('6.01') }, 'grant_ceiling_exceeded'],
    [withdrawals, { beneficiary_id, ...money('5', 'USD') }, 'validation_failed'],
    [withdrawals, { beneficiary_id, ...money('5.005') }, 'validation_failed'],
    [withdrawals, { beneficiary_id: mandate, ...money('5') }, 'validation_failed'],
    [transfers(), money('5', 'USD'), 'validation_failed'],
    [transfers(), { ...money('5'), rule: 'rent' }, 'mandate_rule_not_authorized'],
    [`/v1/mandates/${beneficiary_id}/transfers`, money('5'), 'mandate_not_found'],
  ] as const
  for (const [path, body, code] of refusals) {
    const check = await checked(bookkeeper, path, body)
    expect(check['refusal']?.code ?? check['code']).toBe(code)
  }
  const left = ({ limits }: ApiResponse['body'], name: string) =>
    (limits as { limit: string; remaining: string; remaining_after: string }[]).find(({ limit }) => limit === name)
  const above = await checked(client, transfers(), money('200.01'))
  expect(above).toMatchObject({ refusal: { code: 'mandate_cap_exceeded' } })
  expect(left(above, 'mandate_per_day')).toMatchObject({ remaining: '200.00', remaining_after: null })
  const paid = await checked(bookkeeper, transfers(), money('1'))
  expect(paid).toMatchObject({ refusal: null, confirmation_required: false })
  expect(left(paid, 'grant_per_day')).toEqual({
    limit: 'grant_per_day',
    currency: 'EUR',
    maximum: '10.00',
    remaining: '10.00',
    remaining_after: '9.00',
  })
  const next = await checked(bookkeeper, withdrawals, { beneficiary_id, ...money('1') })
  expect(left(next, 'grant_per_day')).toMatchObject({ remaining: '9.00', remaining_after: '8.00' })
})

test('many concurrent payments of both kinds reach exactly the daily ceiling', async () => {
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, index) => (index % 2 ? transfer : withdraw)(bookkeeper, '0.5')),
  )
  const accepted = answers.filter(({ status }) => status === 202)
  // Two of ten are spent.
  expect(accepted).toHaveLength(16)
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
  // One payment of 1.00, and all others of 0.50.
  expect(spent).toBe((count + 1) / 2)
  expect((await transfer(client, '50')).status).toBe(202)
})
