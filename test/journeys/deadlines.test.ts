/**
 * The end of an operation that never arrived, through all services: it fails once its deadline has passed by the provider's
 * own clock, and its reservations are free again. Without the provider's promise it stays as it is.
 */

import { randomUUID } from 'node:crypto'
import type { ApiClient, ApiResponse } from '@financial-agents/testkit/client'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wordsOf } from '../authorization/page.ts'
import { type Owner, ownerOf } from '../owner.test-helper.ts'
import {
  activeCard,
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

const scopes =
  'beneficiaries:read beneficiaries:write operations:read authorization:read spending:withdraw cards:read cards:manage'
const patiently = { timeout: 120_000, interval: 200 }
/** Long enough for every write of the preparation to meet its deadline on a slow machine. */
const validityMs = 12_000
const clockMarginMs = 500

let stack: TestStack
let provider: ReturnType<typeof providerOf>
let database: pg.Pool
let client: ApiClient
let ines: Owner
let beneficiary: string
let mandate: string
let card: string
/** All are sent at the start, so that their deadlines pass together. */
let paid: ApiResponse
let withdrawn: ApiResponse
let frozen: ApiResponse
let held: ApiResponse

beforeAll(async () => {
  stack = await startTestStack({
    enabledCapabilities: ['transfers.execute'],
    environment: {
      all: { PROVIDER_CLOCK_MARGIN_MS: String(clockMarginMs) },
      submitter: { SUBMISSION_VALIDITY_MS: String(validityMs), LEASE_MS: String(validityMs) },
    },
  })
  provider = providerOf(stack)
  database = new pg.Pool({ connectionString: stack.postgres.adminUrl })
  client = await clientOf(stack, 'ines-agent', scopes)
  ines = ownerOf(stack, 'ines')
  const made = await create(client, 'Rui Prado')
  beneficiary = made.body['resource_id'] as string
  await settledResource(client, `/v1/beneficiaries/${beneficiary}`, 'active')
  mandate = await activeMandate(client, ines, mandateBody(beneficiary))
  card = await activeCard(client)
  await provider.promiseDeadlines(false)
  await lose('mandate_transfer')
  paid = await send(`/v1/mandates/${mandate}/transfers`, { amount: '100', currency: 'EUR' })
  await lose('card_freeze')
  frozen = await send(`/v1/cards/${card}/freeze`)
  await lose('transfer')
  withdrawn = await withdraw('8')
  for (const { body } of [paid, withdrawn, frozen]) await pollUntil(client, body.id, ['indeterminate'])
  await lose('transfer', 'hold')
  held = await withdraw('9')
})
afterAll(async () => {
  await database?.end()
  await stack.close()
})

const lose = (kind: string, script = 'drop_before_accept') => provider.faultOf({ kind }, script, { times: 1 })
const send = async (path: string, body?: object): Promise<ApiResponse> => {
  const response = await client.request('POST', path, { key: randomUUID(), ...(body ? { body } : {}) })
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 202 })
  return response
}
const withdraw = (amount: string) =>
  send('/v1/spending-account/withdrawals', { beneficiary_id: beneficiary, amount, currency: 'EUR' })
const read = async (path: string) => (await client.request('GET', path)).body
const remaining = async () => (await read(`/v1/mandates/${mandate}`))['remaining']

async function isHeld(id: string): Promise<boolean> {
  const asked = 'SELECT released_at IS NULL AS held FROM operations.transfers WHERE operation_id = $1'
  return (await database.query(asked, [id])).rows[0]?.held === true
}

/** If the deadline has passed, makes the next read due at once. Returns why the operation is to be reviewed. */
async function hurry(id: string): Promise<string | undefined> {
  const asked = `UPDATE reconciler.reconciliations r SET next_read_at = now() FROM submitter.submissions s
    WHERE r.operation_id = $1 AND r.settled_at IS NULL AND s.operation_id = $1 AND now() > s.valid_until + $2 * interval '1 ms'
    RETURNING r.review_reason`
  return (await database.query(asked, [id, clockMarginMs])).rows[0]?.review_reason
}

/** Checks the end of an operation that never arrived: when, why, by which evidence, and after how many submissions. */
async function checkExpired({ body: { id } }: ApiResponse): Promise<void> {
  await expect
    .poll(async () => {
      await hurry(id)
      return (await read(`/v1/operations/${id}`))['state']
    }, patiently)
    .toBe('failed')
  expect(await read(`/v1/operations/${id}`)).toMatchObject({
    failure_code: 'submission_expired',
    submission_uncertain: false,
    next_reconcile_at: null,
  })
  const { rows } = await database.query(
    `SELECT s.valid_until, r.settled_at, e.result FROM submitter.submissions s
     JOIN reconciler.reconciliations r USING (operation_id)
     JOIN reconciler.evidence e ON e.operation_id = s.operation_id AND e.number = r.evidence_count
     WHERE s.operation_id = $1`,
    [id],
  )
  expect(rows).toMatchObject([{ result: 'not_found' }])
  expect(rows[0].settled_at.getTime()).toBeGreaterThan(rows[0].valid_until.getTime() + clockMarginMs)
  expect(await provider.ledger(id)).toHaveLength(1)
}

test('without the promise what never arrived stays indeterminate and held, and says when the provider is asked next', async () => {
  await expect.poll(() => hurry(withdrawn.body.id), patiently).toMatch(/^not found by \d+ reads$/)
  for (const { body } of [paid, withdrawn, frozen])
    expect(await read(`/v1/operations/${body.id}`)).toMatchObject({
      state: 'indeterminate',
      submission_uncertain: true,
      next_reconcile_at: expect.any(String),
    })
  expect(await remaining()).toMatchObject({ total: '400.00', payments: 99 })
  expect(await isHeld(withdrawn.body.id)).toBe(true)
  expect(wordsOf(await ines.read(`${stack.baseUrl}/account`))).toContain('We keep asking until it is proven')
})

// The promise also holds for operations that were sent before it was made, because their deadline was sent with them.
test('with the promise it fails after its deadline, and a cap, a ceiling and a card are free again', async () => {
  const closed = await send(`/v1/cards/${card}/close`)
  await pollUntil(client, closed.body.id, ['succeeded'])
  await provider.promiseDeadlines(true)
  for (const lost of [paid, withdrawn, frozen]) await checkExpired(lost)
  await expect.poll(remaining, patiently).toMatchObject({ total: '500.00', payments: 100 })
  await expect.poll(() => isHeld(withdrawn.body.id), patiently).toBe(false)
  expect(await read(`/v1/cards/${card}`)).toMatchObject({ state: 'closed' })
})

test('what waits inside the provider until after its deadline fails, and is not executed when it goes on', async () => {
  await checkExpired(held)
  await provider.release(held.body.id)
  await expect.poll(() => provider.ledger(held.body.id), patiently).toMatchObject([{ outcome: 'expired' }])
  expect(await read(`/v1/operations/${held.body.id}`)).toMatchObject({ state: 'failed' })
})
