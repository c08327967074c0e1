/**
 * Mandates over real processes: their lives, what their caps count while the provider answers or does not, and that no kill
 * of any service makes a cap give more than it has.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import type { ServiceName } from '@financial-agents/testkit/stack-services'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import {
  activeMandate,
  clientOf,
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

let stack: TestStack
let provider: ReturnType<typeof providerOf>
let database: pg.Client
let client: ApiClient
let ines: Owner
let beneficiary: string

beforeAll(async () => {
  const beneficiaries = { SWEEP_PAUSE_MS: '100', DRAFT_DECIDE_AFTER_MS: '1500', PENDING_PULL_AFTER_MS: '1000' }
  stack = await startTestStack({ enabledCapabilities: ['transfers.execute'], environment: { beneficiaries } })
  provider = providerOf(stack)
  database = new pg.Client({ connectionString: stack.postgres.adminUrl })
  await database.connect()
  client = await clientOf(stack, 'ines-agent', scopes)
  ines = ownerOf(stack, 'ines')
  const made = await create(client, 'Rui Prado')
  beneficiary = made.body.resource_id as string
  await settledResource(client, `/v1/beneficiaries/${beneficiary}`, 'active')
})
afterEach(() => provider.clearFaults())
afterAll(async () => {
  await database?.end()
  await stack.close()
})

const mandate = (changes: Record<string, unknown> = {}) =>
  activeMandate(client, ines, mandateBody(beneficiary, changes))
const read = async (id: string) => (await client.request('GET', `/v1/mandates/${id}`)).body
const transfer = (id: string, amount: string, key: string = randomUUID()) =>
  client.request('POST', `/v1/mandates/${id}/transfers`, { key, body: { amount, currency: 'EUR' } })
const leftOf = (id: string) => read(id).then(({ remaining }) => remaining.total as string)
const poll = <Value>(ask: () => Promise<Value>) => expect.poll(ask, { timeout: 15_000, interval: 50 })

test('a mandate pays within its caps, is suspended, and is revoked; nothing is paid from the first word on', async () => {
  const id = await mandate()
  const paid = await transfer(id, '12.50')
  expect(paid).toMatchObject({ status: 202, body: { kind: 'mandate_transfer', resource_type: 'mandate_transfer' } })
  await pollUntil(client, paid.body.id, ['succeeded'])
  expect((await read(id)).remaining).toEqual({
    daily: '187.5',
    weekly: '287.5',
    monthly: '387.5',
    total: '487.5',
    payments: 99,
  })
  expect(await transfer(id, '100.01')).toMatchObject({ status: 409, body: { code: 'mandate_cap_exceeded' } })
  const suspension = await client.request('POST', `/v1/mandates/${id}/suspend`, { key: randomUUID() })
  expect(suspension).toMatchObject({ status: 202, body: { kind: 'mandate_suspend', resource_id: id } })
  expect(await transfer(id, '1')).toMatchObject({ status: 409, body: { code: 'mandate_not_active' } })
  await settledResource(client, `/v1/mandates/${id}`, 'suspended')
  const request = { path: `/v1/mandates/${id}/revoke`, key: randomUUID() }
  const revocation = await confirmedWrite(client, ines, 'mandate_revoke', request)
  expect(revocation).toMatchObject({ status: 202, body: { kind: 'mandate_revoke' } })
  await settledResource(client, `/v1/mandates/${id}`, 'revoked')
  expect(await transfer(id, '1')).toMatchObject({ status: 409, body: { code: 'mandate_not_active' } })
})

test('what certainly failed comes back; what is uncertain or was settled by a read counts as spent', async () => {
  const id = await mandate()
  const faulty = async (script: string) => {
    await provider.faultOf({ kind: 'mandate_transfer' }, script, { times: 1 })
    return (await transfer(id, '100')).body.id as string
  }
  await pollUntil(client, await faulty('refuse'), ['failed'])
  await poll(() => leftOf(id)).toBe('500')
  await pollUntil(client, await faulty('accept_drop_reply'), ['succeeded'])
  const lost = await faulty('drop_before_accept')
  await pollUntil(client, lost, ['indeterminate'])
  await delay(1_500)
  expect(await read(id)).toMatchObject({ remaining: { daily: '0', total: '300' }, state: 'active' })
  expect(await provider.ledger(lost)).toHaveLength(1)
})

test('a suspension that the provider refuses makes the mandate pay again', async () => {
  const id = await mandate()
  await provider.faultOf({ kind: 'mandate_suspend' }, 'refuse', { times: 1 })
  const suspension = await client.request('POST', `/v1/mandates/${id}/suspend`, { key: randomUUID() })
  await pollUntil(client, suspension.body.id, ['failed'])
  await settledResource(client, `/v1/mandates/${id}`, 'active')
  await pollUntil(client, (await transfer(id, '1')).body.id, ['succeeded'])
})

/** With its own key until there is an answer that decides. */
async function insist(id: string): Promise<ApiResponse> {
  const key = randomUUID()
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await transfer(id, '1', key)
    if (answer.status === 202 || answer.status === 409) return answer
    if (answer.status !== 503) throw new Error(`unexpected: ${JSON.stringify(answer.body)}`)
    await delay(100)
  }
  throw new Error('no answer decided')
}

test('500 concurrent transfers against a cap of 100 make exactly 100, whatever is killed meanwhile', async () => {
  const cap = '100'
  const id = await mandate({ daily_max: cap, weekly_max: cap, monthly_max: cap, total_cap: cap, payment_count: 10_000 })
  const waiting = Array.from({ length: 500 }, () => id)
  const answers: ApiResponse[] = []
  const worker = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) answers.push(await insist(next))
  }
  const workers = Array.from({ length: 50 }, worker)
  for (const service of ['beneficiaries', 'operations', 'submitter', 'beneficiaries'] satisfies ServiceName[]) {
    await delay(150)
    await stack.kill(service)
    await stack.start(service)
  }
  await Promise.all(workers)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 409]))
  // What a killed request had reserved comes back once its draft is decided: then the rest fits.
  await poll(async () => {
    const answer = await insist(id)
    answers.push(answer)
    return (await read(id)).state === 'exhausted' && (await undecided()) === 0
  }).toBe(true)
  const accepted = new Set(answers.filter(({ status }) => status === 202).map(({ body }) => body.id as string))
  await poll(async () => countOf(id, "state IN ('accepted', 'submitting', 'submitted')")).toBe(0)
  expect(await countOf(id, "state NOT IN ('failed', 'cancelled')")).toBe(100)
  expect(await countOf(id, 'true')).toBe(accepted.size)
  expect((await read(id)).remaining).toMatchObject({ total: '0', daily: '0' })
  expect((await provider.summary()).repeated).toEqual([])
})

async function undecided(): Promise<number> {
  const { rows } = await database.query("SELECT count(*)::int AS count FROM beneficiaries.writes WHERE state = 'draft'")
  return (rows[0] as { count: number }).count
}

async function countOf(mandateId: string, condition: string): Promise<number> {
  const { rows } = await database.query(
    `SELECT count(*)::int AS count FROM operations.operations WHERE mandate_id = $1 AND kind = 'mandate_transfer' AND ${condition}`,
    [mandateId],
  )
  return (rows[0] as { count: number }).count
}
