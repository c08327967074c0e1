/**
 * Withdrawals through all services: their outcomes at the provider, the owner's approvals and confirmations, and
 * limits.
 */

import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import {
  askToConfirm,
  clientOf,
  confirmed,
  create,
  pollUntil,
  providerOf,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const path = '/v1/spending-account/withdrawals'
const scopes = 'beneficiaries:read beneficiaries:write operations:read spending:withdraw'
const typeOf = ({ event_type }: { event_type: string }) => event_type
const eur = (amount: string) => ({ amount, currency: 'EUR' })

let stack: TestStack
let provider: ReturnType<typeof providerOf>
let database: pg.Client
let client: ApiClient
/** Has limits. The owner must confirm payments above 3 EUR. */
let bounded: ApiClient
let ines: Owner
let beneficiary_id: string

beforeAll(async () => {
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute'], registerClients: boundBookkeeper })
  provider = providerOf(stack)
  database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  client = await clientOf(stack, 'ines-agent', scopes)
  bounded = await clientOf(stack, 'ines-bookkeeper', scopes)
  ines = ownerOf(stack, 'ines')
  const created = await create(client, 'Rui Prado')
  await settledResource(client, `/v1/beneficiaries/${created.body.resource_id}`, 'active')
  beneficiary_id = created.body.resource_id as string
})
afterEach(() => provider.clearFaults())
afterAll(async () => {
  await database?.end()
  await stack.close()
})

async function boundBookkeeper(folder: string, { clientsFile }: { clientsFile: string }): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: Record<string, unknown>[] }
  const policy = {
    withdrawal_confirmation_above: eur('3'),
    withdrawal_ceilings: { per_payment: eur('10'), per_day: eur('20') },
  }
  const changed = clients.map((each) =>
    each['client_id'] === 'ines-bookkeeper' ? { ...each, scopes: scopes.split(' '), policy } : each,
  )
  const file = join(folder, 'bounded-clients.yaml')
  await writeFile(file, stringify({ clients: changed }))
  return file
}

const body = (amount: string, more: Record<string, unknown> = {}) => ({
  beneficiary_id,
  amount,
  currency: 'EUR',
  ...more,
})

function withdraw(by: ApiClient, amount: string, more: Record<string, unknown> = {}): Promise<ApiResponse> {
  return by.request('POST', path, { key: randomUUID(), body: body(amount, more) })
}

async function accepted(by: ApiClient, amount: string): Promise<string> {
  const response = await withdraw(by, amount)
  expect(response.status, JSON.stringify(response.body)).toBe(202)
  return response.body.id as string
}

/** Sets a fault for the next transfer only. */
async function nextTransfer(script: string, options: Record<string, unknown> = {}): Promise<void> {
  const fault = { script, match: { kind: 'transfer' }, times: 1, options }
  const response = await fetch(`${stack.providerUrl}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  })
  expect(response.status).toBe(201)
}

const isHeld = async (id: string) => {
  const { rows } = await database.query(
    'SELECT released_at IS NULL AS held FROM operations.transfers WHERE operation_id = $1',
    [id],
  )
  return rows[0]?.held === true
}

describe('what becomes of it at the provider', () => {
  test('it is accepted, submitted once and succeeds; an equal request is answered with it', async () => {
    const key = randomUUID()
    const request = { key, body: body('12.50', { memo: 'Rent, March' }) }
    const created = await client.request('POST', path, request)
    expect(created).toMatchObject({ status: 202, body: { kind: 'transfer', resource_type: 'withdrawal' } })
    const settled = await pollUntil(client, created.body.id, ['succeeded'])
    expect(settled.body).toMatchObject({ upstream_reference: expect.any(String), failure_code: null })
    const again = await client.request('POST', path, request)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(again.body.id).toBe(created.body.id)
    expect(await provider.ledger(created.body.id)).toMatchObject([{ kind: 'transfer', outcome: 'executed' }])
    expect(JSON.stringify(settled.body)).not.toContain('Rent, March')
  })

  test.each([
    { script: 'refuse', code: 'provider_refused' },
    { script: 'fail', code: 'provider_rejected_details' },
  ])('$script is definitive: it fails and the amount is let go', async ({ script, code }) => {
    await nextTransfer(script)
    const id = await accepted(client, '5')
    const settled = await pollUntil(client, id, ['failed', 'succeeded'])
    expect(settled.body).toMatchObject({ state: 'failed', failure_code: code, submission_uncertain: false })
    await expect.poll(() => isHeld(id)).toBe(false)
    expect(await provider.ledger(id)).toHaveLength(1)
  })

  test('what is not settled is held', async () => {
    await nextTransfer('never_settle')
    const id = await accepted(client, '7')
    await pollUntil(client, id, ['submitted'])
    expect(await isHeld(id)).toBe(true)
  })
})

describe('the owner’s approval at the provider', () => {
  async function awaiting(amount: string): Promise<{ id: string; url: string }> {
    const id = await accepted(client, amount)
    const waiting = await pollUntil(client, id, [], 120_000, (operation) => operation['action_required'])
    expect(waiting.body).toMatchObject({
      state: 'requires_action',
      action_required: { kind: 'grant_approval', expires_at: expect.any(String), poll_after_ms: expect.any(Number) },
    })
    expect(await provider.ledger(id)).toEqual([])
    return { id, url: waiting.body.action_required.url }
  }

  test('above what she approves herself it waits for her, and once she approves it is submitted once; a subscriber hears of each move', async () => {
    const subscribed = await client.request('POST', '/v1/webhook-subscriptions', {
      body: { url: 'http://127.0.0.1:9/' },
    })
    const { id, url } = await awaiting('600')
    await ines.decideAtProvider(url, 'approve')
    expect((await client.request('POST', `/v1/operations/${id}/approval/poll`)).status).toBe(200)
    await pollUntil(client, id, ['succeeded'])
    expect(await provider.ledger(id)).toMatchObject([{ outcome: 'executed' }])
    const deliveries = `/v1/webhook-subscriptions/${subscribed.body.id}/deliveries`
    const reported = ['requires_action', 'accepted', 'submitting', 'succeeded'].map((state) => `operation.${state}`)
    await expect
      .poll(async () => (await client.request('GET', deliveries)).body['items'].map(typeOf), { timeout: 120_000 })
      .toEqual(expect.arrayContaining(reported))
  })

  test('declined, it is cancelled, nothing was ever submitted, and the amount is let go', async () => {
    const { id, url } = await awaiting('700')
    await ines.decideAtProvider(url, 'decline')
    await client.request('POST', `/v1/operations/${id}/approval/poll`)
    await pollUntil(client, id, ['cancelled'])
    expect(await provider.ledger(id)).toEqual([])
    await expect.poll(() => isHeld(id)).toBe(false)
  })
})

describe('what the grant allows', () => {
  test('above an amount the owner confirms, exactly this request, once', async () => {
    const request = { path, body: body('5', { memo: 'Confirmed' }) }
    expect(await bounded.request('POST', path, { key: randomUUID(), body: request.body })).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required' },
    })
    const headers = { 'Confirmation-Intent-ID': await confirmed(bounded, ines, 'transfer', request) }
    const send = (changes: Record<string, unknown> = {}, key: string = randomUUID()) =>
      bounded.request('POST', path, { key, headers, body: { ...request.body, ...changes } })
    expect(await send({ amount: '6' })).toMatchObject({ status: 403, body: { code: 'confirmation_mismatch' } })
    const key = randomUUID()
    const created = await send({}, key)
    expect(created.status).toBe(202)
    expect((await send({}, key)).headers.get('Idempotent-Replayed')).toBe('true')
    expect(await send()).toMatchObject({ status: 409, body: { code: 'confirmation_already_used' } })
    await pollUntil(bounded, created.body.id, ['succeeded'])
  })

  test.each([
    ['in another currency than the beneficiary’s', { currency: 'GBP' }, 'currency'],
    ['finer than the currency', { amount: '10.005' }, 'amount'],
    ['in what is no currency', { currency: 'XXX' }, 'currency'],
    ['above what the provider takes', { amount: '100000000' }, 'amount'],
  ])('the owner is not asked to confirm what would be refused: %s', async (_, changes, member) => {
    const refused = await askToConfirm(client, 'transfer', { path, body: body('5', changes) })
    const fields = [{ path: `request.body.${member}`, message: expect.any(String) }]
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed', fields } })
  })

  test('the owner is not asked to confirm an amount above a ceiling of the grant', async () => {
    const refused = await askToConfirm(bounded, 'transfer', { path, body: body('10.01') })
    expect(refused).toMatchObject({ status: 409, body: { code: 'grant_ceiling_exceeded' } })
  })

  test('concurrent withdrawals take what the day has left and not a cent more', async () => {
    expect(await withdraw(bounded, '10.01')).toMatchObject({ status: 409, body: { code: 'grant_ceiling_exceeded' } })
    const responses = await Promise.all(Array.from({ length: 60 }, () => withdraw(bounded, '1')))
    const ids = responses.filter(({ status }) => status === 202).map((response) => response.body.id as string)
    // 5 of the 20 EUR were spent above.
    expect(ids).toHaveLength(15)
    for (const refused of responses.filter(({ status }) => status !== 202))
      expect(refused).toMatchObject({ status: 409, body: { code: 'grant_ceiling_exceeded' } })
    for (const id of ids) await pollUntil(bounded, id, ['succeeded'])
  })
})

test('the provider never saw a reference twice', async () => {
  expect((await provider.summary()).repeated).toEqual([])
})
