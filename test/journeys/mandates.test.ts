/**
 * Authority under a mandate, and its end, through all services. The owner confirms and approves it. Only the clients and
 * rules that it names may use it. Its limits count uncertain payments. Its end overtakes accepted payments, and a failed
 * end can be requested again.
 */

import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { wordsOf } from '../authorization/page.ts'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import {
  activeMandate,
  askToConfirm,
  clientOf,
  confirmed,
  confirmedWrite,
  create,
  mandateBody,
  pollUntil,
  providerOf,
  settledResource,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const scopes = 'beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw'
const dayMs = 86_400_000
const patiently = { timeout: 120_000, interval: 50 }

let stack: TestStack
let provider: ReturnType<typeof providerOf>
let database: pg.Pool
let client: ApiClient
/** Other clients of the same owner. */
let bookkeeper: ApiClient
let reader: ApiClient
let ines: Owner
let beneficiary: string

beforeAll(async () => {
  stack = await startTestStack({
    enabledCapabilities: ['transfers.execute'],
    registerClients: withMandates,
    environment: {
      beneficiaries: { BACKGROUND_JOB_PAUSE_MS: '100' },
      operations: { BACKGROUND_JOB_PAUSE_MS: '200', BACKGROUND_JOB_AFTER_MS: '500' },
    },
  })
  provider = providerOf(stack)
  database = new pg.Pool({ connectionString: stack.postgres.adminUrl })
  client = await clientOf(stack, 'ines-agent', scopes)
  bookkeeper = await clientOf(stack, 'ines-bookkeeper', scopes)
  reader = await clientOf(stack, 'ines-reader', scopes)
  ines = ownerOf(stack, 'ines')
  const made = await create(client, 'Rui Prado')
  beneficiary = made.body['resource_id'] as string
  await settledResource(client, `/v1/beneficiaries/${beneficiary}`, 'active')
})
afterEach(() => provider.clearFaults())
afterAll(async () => {
  await database?.end()
  await stack.close()
})

/** Lets all clients of the owner request mandates. */
async function withMandates(folder: string, { clientsFile }: { clientsFile: string }): Promise<string> {
  const { clients } = parse(await readFile(clientsFile, 'utf8')) as { clients: Record<string, unknown>[] }
  const wide = new Set(['ines-bookkeeper', 'ines-reader'])
  const changed = clients.map((each) =>
    wide.has(each['client_id'] as string) ? { ...each, scopes: scopes.split(' ') } : each,
  )
  const file = join(folder, 'clients-with-mandates.yaml')
  await writeFile(file, stringify({ clients: changed }))
  return file
}

const mandate = (changes: Record<string, unknown> = {}) =>
  activeMandate(client, ines, mandateBody(beneficiary, changes))
const pathOf = (id: string) => `/v1/mandates/${id}`
const read = async (id: string, by = client) => (await by.request('GET', pathOf(id))).body
const see = (id: string, state: string) => settledResource(client, pathOf(id), state)
const write = (path: string, body?: Record<string, unknown>, by = client, key: string = randomUUID()) =>
  by.request('POST', path, { key, ...(body ? { body } : {}) })
const suspend = (id: string) => write(`${pathOf(id)}/suspend`)
const revoke = (id: string, key: string = randomUUID()) =>
  confirmedWrite(client, ines, 'mandate_revoke', { path: `${pathOf(id)}/revoke`, key })
const transfer = (id: string, body: Record<string, unknown> = {}, by = client) =>
  write(`${pathOf(id)}/transfers`, { amount: '10', currency: 'EUR', ...body }, by)
const refusal = (status: number, code: string) => ({ status, body: { code } })
const settled = ({ body: { id } }: ApiResponse, state: string) => pollUntil(client, id, [state])

describe('a mandate comes about', () => {
  const ask = () =>
    confirmedWrite(client, ines, 'mandate_create', { path: '/v1/mandates', body: mandateBody(beneficiary) })

  async function approvalOf({ body }: ApiResponse): Promise<string> {
    const { body: ready } = await pollUntil(client, body['id'], [], 120_000, (read) => read['action_required'])
    expect(ready).toMatchObject({ state: 'requires_action', action_required: { kind: 'grant_approval' } })
    return ready['action_required'].url
  }

  test('by the owner’s confirmation of exactly it, and her approval at the provider', async () => {
    const body = mandateBody(beneficiary)
    const named = { path: '/v1/mandates', body }
    expect(await write('/v1/mandates', body)).toMatchObject({ status: 422, body: { refresh_onboarding: false } })
    const intent = await client.request('POST', '/v1/confirmation-intents', {
      body: { action: 'mandate_create', request: named },
    })
    const page = wordsOf(await ines.read(intent.body['confirmation_url']))
    // The page names the paying clients, and the client gets only their number.
    // The end is shown in the owner's time zone.
    for (const { label, value } of intent.body['facts'])
      if (label !== 'Paid by' && label !== 'Until') expect(page).toContain(value)
    for (const bound of ['Rui Prado', 'EUR 100', 'EUR 200', 'EUR 300', 'EUR 400', 'EUR 500', '100 payments'])
      expect(page).toContain(bound)

    const accepted = await ask()
    expect(accepted).toMatchObject({ status: 202, body: { kind: 'mandate_create', resource_type: 'mandate' } })
    const id = accepted.body['resource_id'] as string
    const url = await approvalOf(accepted)
    expect(await read(id)).toMatchObject({ state: 'pending', operation_id: accepted.body['id'] })
    expect(await transfer(id)).toMatchObject(refusal(409, 'mandate_not_active'))
    expect(await provider.ledger(accepted.body['id'])).toEqual([])
    await ines.decideAtProvider(url, 'approve')
    const polled = await client.request('POST', `/v1/operations/${accepted.body['id']}/approval/poll`)
    expect(polled.status).toBe(200)
    await see(id, 'active')
    expect(await provider.ledger(accepted.body['id'])).toMatchObject([{ outcome: 'executed' }])
  })

  test.each([
    ['caps that are not in order', { daily_max: '99' }, 'daily_max'],
    ['a cap finer than the currency', { per_payment_max: '0.001' }, 'per_payment_max'],
    ['an end that is past', { expires_at: '2020-01-01T00:00:00.000Z' }, 'expires_at'],
    ['a beneficiary that is not there', { beneficiary_id: randomUUID() }, 'beneficiary_id'],
  ])('and she is not asked to confirm one that would be refused: %s', async (_, changes, member) => {
    const body = mandateBody(beneficiary, changes)
    const refused = await askToConfirm(client, 'mandate_create', { path: '/v1/mandates', body })
    const fields = [{ path: `request.body.${member}`, message: expect.any(String) }]
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed', fields } })
    expect(refused.body).not.toHaveProperty('refresh_onboarding')
  })

  test('or not: declined at the provider it is cancelled, nothing was sent, and it never was in force', async () => {
    const accepted = await ask()
    await ines.decideAtProvider(await approvalOf(accepted), 'decline')
    await client.request('POST', `/v1/operations/${accepted.body['id']}/approval/poll`)
    await settled(accepted, 'cancelled')
    await see(accepted.body['resource_id'], 'failed')
    expect(await provider.ledger(accepted.body['id'])).toEqual([])
    expect(await transfer(accepted.body['resource_id'])).toMatchObject(refusal(409, 'mandate_not_active'))
  })

  test('not where the provider refuses it, and not yet where nobody knows', async () => {
    for (const [script, state, shown] of [
      ['refuse', 'failed', 'failed'],
      ['drop_before_accept', 'indeterminate', 'pending'],
    ] as const) {
      await provider.faultOf({ kind: 'mandate_create' }, script, { times: 1 })
      const accepted = await ask()
      await ines.decideAtProvider(await approvalOf(accepted), 'approve')
      await client.request('POST', `/v1/operations/${accepted.body['id']}/approval/poll`)
      await settled(accepted, state)
      const id = accepted.body['resource_id'] as string
      await see(id, shown)
      expect(await transfer(id)).toMatchObject(refusal(409, 'mandate_not_active'))
      const revocation = await revoke(id)
      expect(revocation).toMatchObject(refusal(409, 'mandate_not_active'))
    }
  })
})

describe('who may use it', () => {
  test('the client that made it and those that it authorises see it; for others of the owner it does not exist', async () => {
    const shared = await mandate({ authorized_clients: ['ines-agent', 'ines-bookkeeper'] })
    const delegated = await mandate({ authorized_clients: ['ines-bookkeeper'] })
    const amara = await clientOf(stack, 'amara-agent', scopes)
    for (const id of [shared, delegated]) {
      expect(await read(id, bookkeeper)).toMatchObject({ id, state: 'active' })
      for (const stranger of [reader, amara]) {
        const answers = [
          await stranger.request('GET', pathOf(id)),
          await transfer(id, {}, stranger),
          await write(`${pathOf(id)}/suspend`, undefined, stranger),
        ]
        for (const answer of answers) expect(answer).toMatchObject(refusal(404, 'mandate_not_found'))
      }
    }
    const listed = async (by: ApiClient) => (await by.request('GET', '/v1/mandates')).body['items'] as { id: string }[]
    expect((await listed(bookkeeper)).map(({ id }) => id)).toEqual([delegated, shared])
    expect((await listed(client)).map(({ id }) => id)).toEqual(expect.arrayContaining([delegated, shared]))
    expect(await listed(reader)).toEqual([])

    const paid = await transfer(shared, {}, bookkeeper)
    expect(paid.status).toBe(202)
    await pollUntil(bookkeeper, paid.body['id'], ['succeeded'])
    expect(await client.request('GET', `/v1/operations/${paid.body['id']}`)).toMatchObject({ status: 404 })
    expect(await transfer(delegated)).toMatchObject(refusal(403, 'mandate_client_not_authorized'))
    expect((await transfer(delegated, {}, bookkeeper)).status).toBe(202)
  })

  test('each transfer names one of its rules, and none where it has none', async () => {
    const ruled = await mandate({ authorized_rules: ['rent', 'power'] })
    const free = await mandate()
    for (const [id, rule] of [
      [ruled, undefined],
      [ruled, 'food'],
      [free, 'rent'],
    ] as const)
      expect(await transfer(id, rule ? { rule } : {})).toMatchObject(refusal(403, 'mandate_rule_not_authorized'))
    await settled(await transfer(ruled, { rule: 'power', reference: 'May' }), 'succeeded')
  })

  test('what exceeds a cap is refused by the name of the cap and what remains; in no other currency', async () => {
    const id = await mandate()
    for (let paid = 0; paid < 200; paid += 80) await transfer(id, { amount: String(Math.min(80, 200 - paid)) })
    const refused = await transfer(id, { amount: '0.01' })
    expect(refused).toMatchObject(refusal(409, 'mandate_cap_exceeded'))
    expect(refused.body['detail']).toBe('daily_max: of 200.00 EUR, 0.00 EUR remain today.')
    const tooMuch = await transfer(id, { amount: '100.01' })
    expect(tooMuch.body['detail']).toBe('per_payment_max: at most 100.00 EUR in one payment.')
    const foreign = await transfer(id, { currency: 'GBP' })
    expect(foreign).toMatchObject({ status: 422, body: { fields: [{ path: 'currency' }] } })
  })
})

test('what certainly failed comes back; what is uncertain or was settled by a read counts as spent', async () => {
  const id = await mandate()
  const faulty = async (script: string) => {
    await provider.faultOf({ kind: 'mandate_transfer' }, script, { times: 1 })
    return transfer(id, { amount: '100' })
  }
  await settled(await faulty('refuse'), 'failed')
  await expect.poll(async () => (await read(id))['remaining'].total, patiently).toBe('500.00')
  await settled(await faulty('accept_drop_reply'), 'succeeded')
  const lost = await faulty('drop_before_accept')
  await settled(lost, 'indeterminate')
  expect(await read(id)).toMatchObject({ remaining: { daily: '0.00', total: '300.00' }, state: 'active' })
  expect(await provider.ledger(lost.body['id'])).toHaveLength(1)
})

describe('its suspension', () => {
  test('overtakes a transfer that was accepted and not yet claimed: cancelled, and its reservation comes back', async () => {
    const id = await mandate()
    await stack.stopService('submitter')
    const overtaken = await transfer(id, { amount: '40' })
    expect((await read(id)).remaining).toMatchObject({ total: '460.00', payments: 99 })
    const suspension = await suspend(id)
    expect(suspension.status).toBe(202)
    expect(await transfer(id)).toMatchObject(refusal(409, 'mandate_not_active'))
    expect(await suspend(id)).toMatchObject(refusal(409, 'resource_busy'))
    // The submitter must learn of the fence before it can ask for operations to submit.
    await stack.stopService('operations')
    await stack.start('submitter')
    await expect.poll(() => fenceOf(id), patiently).toEqual({ confirmed: true })
    await stack.start('operations')

    await settled(overtaken, 'cancelled')
    expect(await provider.ledger(overtaken.body['id'])).toEqual([])
    await settled(suspension, 'succeeded')
    await see(id, 'suspended')
    await expect
      .poll(async () => (await read(id)).remaining, patiently)
      .toMatchObject({ total: '500.00', payments: 100 })
    expect(await suspend(id)).toMatchObject(refusal(409, 'mandate_not_active'))
  })

  test('whose outcome nobody knows keeps it from being used, and does not keep it from being revoked', async () => {
    const id = await mandate()
    await provider.faultOf({ kind: 'mandate_suspend' }, 'drop_before_accept', { times: 1 })
    await settled(await suspend(id), 'indeterminate')
    expect(await read(id)).toMatchObject({ state: 'suspending' })
    expect(await transfer(id)).toMatchObject(refusal(409, 'mandate_not_active'))
    await settled(await revoke(id), 'succeeded')
    await see(id, 'revoked')
  })

  test('that the provider refuses stops it all the same: nothing is paid, it stays fenced, and it can be revoked', async () => {
    const id = await mandate()
    await provider.faultOf({ kind: 'mandate_suspend' }, 'refuse', { times: 1 })
    await settled(await suspend(id), 'failed')
    await see(id, 'suspended')
    expect(await fenceOf(id)).toEqual({ confirmed: true })
    expect(await transfer(id, { amount: '1' })).toMatchObject(refusal(409, 'mandate_not_active'))
    expect(await suspend(id)).toMatchObject(refusal(409, 'mandate_not_active'))
    await settled(await revoke(id), 'succeeded')
    await see(id, 'revoked')
    expect((await read(id)).remaining).toMatchObject({ total: '500.00', payments: 100 })
  })
})

describe('its revocation', () => {
  test('needs the owner’s confirmation, is revoking until it is revoked, and is answered again by its key alone', async () => {
    const id = await mandate()
    const path = `${pathOf(id)}/revoke`
    const other = await mandate()
    const headers = { 'Confirmation-Intent-ID': await confirmed(client, ines, 'mandate_revoke', { path }) }
    const send = (key: string, at = path) => client.request('POST', at, { key, headers })
    expect(await send(randomUUID(), `${pathOf(other)}/revoke`)).toMatchObject(refusal(403, 'confirmation_mismatch'))
    expect(await client.request('POST', path, { key: randomUUID() })).toMatchObject({ status: 422 })

    await provider.faultOf({ kind: 'mandate_revoke' }, 'settle_later', { times: 1 })
    const key = randomUUID()
    const late = { 'Confirmation-Intent-ID': await confirmed(client, ines, 'mandate_revoke', { path }) }
    const revocation = await send(key)
    expect(revocation).toMatchObject({ status: 202, body: { kind: 'mandate_revoke', resource_id: id } })
    await settled(revocation, 'submitted')
    await see(id, 'revoking')
    const inProgress = refusal(409, 'mandate_revocation_in_progress')
    expect(await askToConfirm(client, 'mandate_revoke', { path })).toMatchObject(inProgress)
    expect(await client.request('POST', path, { key: randomUUID(), headers: late })).toMatchObject(inProgress)
    expect(await suspend(id)).toMatchObject(refusal(409, 'mandate_not_active'))
    const again = await send(key)
    expect(again).toMatchObject({ status: 202, body: { id: revocation.body['id'], state: 'submitted' } })
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')

    await provider.settle(revocation.body['id'], 'succeeded')
    await see(id, 'revoked')
    expect((await send(key)).body).toMatchObject({ id: revocation.body['id'], state: 'succeeded' })
    const already = refusal(409, 'mandate_already_revoked')
    expect(await askToConfirm(client, 'mandate_revoke', { path })).toMatchObject(already)
    // Confirmed in time, but the earlier revocation succeeded first.
    expect(await client.request('POST', path, { key: randomUUID(), headers: late })).toMatchObject({
      status: 409,
      body: { ...already.body, refresh_onboarding: false },
    })
    expect(await transfer(id)).toMatchObject(refusal(409, 'mandate_not_active'))
    expect(await provider.ledger(revocation.body['id'])).toHaveLength(1)
  })

  test('that the provider refuses leaves nothing but revoking again, which works', async () => {
    const id = await mandate()
    await provider.faultOf({ kind: 'mandate_revoke' }, 'refuse', { times: 1 })
    const key = randomUUID()
    const failed = await revoke(id, key)
    await settled(failed, 'failed')
    await see(id, 'revocation_failed')
    expect(await transfer(id)).toMatchObject(refusal(409, 'mandate_not_active'))
    expect(await suspend(id)).toMatchObject(refusal(409, 'mandate_not_active'))
    const fresh = await revoke(id)
    expect(fresh.status).toBe(202)
    expect(fresh.body['id']).not.toBe(failed.body['id'])
    await settled(fresh, 'succeeded')
    await see(id, 'revoked')
  })
})

test('past its end it is expired: nothing is paid, and it is neither suspended nor revoked', async () => {
  const id = await mandate({ expires_at: new Date(Date.now() + dayMs).toISOString() })
  await settled(await transfer(id), 'succeeded')
  await stack.moveClock(['beneficiaries'], dayMs + 60_000)
  expect(await read(id)).toMatchObject({ state: 'expired', remaining: { daily: '200.00', total: '490.00' } })
  for (const answer of [await transfer(id), await suspend(id), await revoke(id)])
    expect(answer).toMatchObject(refusal(409, 'mandate_not_active'))
  await stack.moveClock(['beneficiaries'], 0)
  expect(await read(id)).toMatchObject({ state: 'active' })
})

test('the provider never saw a reference twice', async () => {
  expect((await provider.summary()).repeated).toEqual([])
})

async function fenceOf(id: string): Promise<unknown> {
  const { rows } = await database.query(`SELECT confirmed FROM beneficiaries.mandate_fences WHERE mandate_id = $1`, [
    id,
  ])
  return rows[0]
}
