/** The first write, through all services with a real OAuth client: its life cycle, its faults, its idempotency key. */

import { randomUUID } from 'node:crypto'
import type { ApiClient } from '@financial-agents/testkit/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  beneficiaryBody,
  clientOf,
  create,
  pollUntil,
  providerOf,
  startTestStack,
  type TestStack,
} from '../stack.test-helper.ts'

const dayMs = 86_400_000

let stack: TestStack
let client: ApiClient
let provider: ReturnType<typeof providerOf>

beforeAll(async () => {
  stack = await startTestStack({ environment: { operations: { PRUNE_PAUSE_MS: '500' } } })
  client = await clientOf(stack, 'ines-agent')
  provider = providerOf(stack)
})
afterAll(() => stack.close())

describe('the life of a write', () => {
  test('it is accepted, submitted once and succeeds; the beneficiary becomes active and shows masks only', async () => {
    const created = await create(client, 'Rent')
    expect(created.status).toBe(202)
    expect(created.headers.get('Idempotent-Replayed')).toBeNull()
    expect(created.body).toMatchObject({
      kind: 'beneficiary_create',
      resource_type: 'beneficiary',
      submission_uncertain: false,
      failure_code: null,
      failure_detail: null,
    })
    const settled = await pollUntil(client, created.body.id, ['succeeded'])
    expect(settled.body.upstream_reference).toEqual(expect.any(String))
    await expect
      .poll(async () => (await client.request('GET', `/v1/beneficiaries/${created.body.resource_id}`)).body, {
        timeout: 120_000,
      })
      .toMatchObject({ state: 'active', name: 'Rent', operation_id: created.body.id })
    const read = await client.request('GET', `/v1/beneficiaries/${created.body.resource_id}`)
    expect(JSON.stringify(read.body)).not.toContain('PT5000020123')
    expect(await provider.ledger(created.body.id)).toHaveLength(1)
  })

  const outcomes = [
    { script: 'refuse', state: 'failed', code: 'provider_refused' },
    { script: 'fail', state: 'failed', code: 'provider_rejected_details' },
    { script: 'slow', state: 'succeeded', code: null },
    { script: 'settle_later', options: { settle_after_ms: 300 }, state: 'succeeded', code: null },
  ]
  test.each(outcomes)('$script ends $state', async ({ script, options, state, code }) => {
    await provider.fault(script, script, options)
    const created = await create(client, script)
    const settled = await pollUntil(client, created.body.id, ['succeeded', 'failed'])
    expect(settled.body).toMatchObject({
      state,
      failure_code: code,
      submission_uncertain: false,
      next_reconcile_at: null,
    })
    expect(await provider.ledger(created.body.id)).toHaveLength(1)
  })

  test('where nobody knows whether it arrived it is indeterminate, and says when it is read', async () => {
    await provider.fault('drop_before_accept', 'dropped')
    const created = await create(client, 'dropped')
    const uncertain = await pollUntil(client, created.body.id, ['indeterminate'])
    expect(uncertain.body).toMatchObject({ submission_uncertain: true, failure_code: 'provider_connection_lost' })
    expect(uncertain.body.next_reconcile_at).toEqual(expect.any(String))
  })

  test('what the provider has not settled stays submitted; once it has, a read shows it', async () => {
    await provider.fault('settle_later', 'pending')
    const created = await create(client, 'pending')
    const pending = await pollUntil(client, created.body.id, ['submitted'])
    expect(pending.body).toMatchObject({ submission_uncertain: false, next_reconcile_at: expect.any(String) })
    await provider.settle(created.body.id, 'succeeded')
    await pollUntil(client, created.body.id, ['succeeded'])
  })

  test('what the provider accepted and no longer shows is indeterminate, is not sent again, and settles once it is shown', async () => {
    await provider.fault('vanish', 'vanishing')
    const created = await create(client, 'vanishing')
    const gone = await pollUntil(client, created.body.id, ['indeterminate'])
    expect(gone.body).toMatchObject({ submission_uncertain: true, failure_code: 'provider_record_missing' })
    expect(gone.body.next_reconcile_at).toEqual(expect.any(String))
    await provider.settle(created.body.id, 'succeeded')
    const settled = await pollUntil(client, created.body.id, ['succeeded'])
    expect(settled.body).toMatchObject({ submission_uncertain: false, failure_code: null })
    expect(await provider.ledger(created.body.id)).toHaveLength(1)
  })

  test('contradicting answers prove nothing: it is indeterminate', async () => {
    await provider.fault('contradict', 'contradiction', { contradiction: 'two_records' })
    const created = await create(client, 'contradiction')
    const unclear = await pollUntil(client, created.body.id, ['indeterminate'])
    expect(unclear.body).toMatchObject({ submission_uncertain: true, failure_code: 'provider_evidence_ambiguous' })
    expect(await provider.ledger(created.body.id)).toHaveLength(1)
  })
})

describe('whose it is', () => {
  test('operations are of owner and client: another client of the owner and another owner get 404', async () => {
    const created = await create(client, 'Mine')
    for (const other of ['ines-bookkeeper', 'amara-agent']) {
      const foreign = await clientOf(stack, other)
      const read = await foreign.request('GET', `/v1/operations/${created.body.id}`)
      expect(read).toMatchObject({ status: 404, body: { code: 'operation_not_found' } })
      expect((await foreign.request('GET', '/v1/operations')).body.items).not.toContainEqual(
        expect.objectContaining({ id: created.body.id }),
      )
    }
  })

  test("beneficiaries are the owner's: another client of the owner sees them, another owner does not", async () => {
    const created = await create(client, 'Ours')
    const path = `/v1/beneficiaries/${created.body.resource_id}`
    const bookkeeper = await clientOf(stack, 'ines-bookkeeper')
    const amara = await clientOf(stack, 'amara-agent')
    expect((await bookkeeper.request('GET', path)).status).toBe(200)
    expect(await amara.request('GET', path)).toMatchObject({ status: 404, body: { code: 'beneficiary_not_found' } })
  })

  test('the same key of another client is another key', async () => {
    const key = randomUUID()
    const mine = await create(client, 'Same key', key)
    const theirs = await create(await clientOf(stack, 'ines-bookkeeper'), 'Same key', key)
    expect(theirs.headers.get('Idempotent-Replayed')).toBeNull()
    expect(theirs.body.id).not.toBe(mine.body.id)
  })
})

describe('the key', () => {
  test('200 equal requests at once: one operation, 199 replays that say so', async () => {
    const key = randomUUID()
    const responses = await Promise.all(Array.from({ length: 200 }, () => create(client, 'Burst', key)))
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([202]))
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1)
    const replayed = responses.map((response) => response.headers.get('Idempotent-Replayed'))
    expect(replayed.filter((value) => value === 'true')).toHaveLength(199)
    expect(replayed.filter((value) => value === null)).toHaveLength(1)
    const id = responses[0]?.body.id
    await pollUntil(client, id, ['succeeded'])
    expect(await provider.ledger(id)).toHaveLength(1)
  })

  test('a replay returns the live row, not a stored body', async () => {
    const key = randomUUID()
    const created = await create(client, 'Live', key)
    const settled = await pollUntil(client, created.body.id, ['succeeded'])
    const replay = await create(client, 'Live', key)
    expect(replay).toMatchObject({ status: 202, body: settled.body })
    expect(replay.headers.get('Idempotent-Replayed')).toBe('true')
  })

  test('members in another order are the same request; another value is a conflict', async () => {
    const key = randomUUID()
    await create(client, 'Order', key)
    const reversed = Object.fromEntries(Object.entries(beneficiaryBody('Order')).toReversed())
    expect((await client.request('POST', '/v1/beneficiaries', { key, body: reversed })).status).toBe(202)
    const other = await create(client, 'Other', key)
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_conflict', retryable: false } })
  })

  test('a replay is answered though the provider would now refuse the body; a conflict is seen before that', async () => {
    const key = randomUUID()
    await create(client, 'Valid', key)
    const body = { ...beneficiaryBody('Valid'), payout_schema_id: 'gone' }
    const conflict = await client.request('POST', '/v1/beneficiaries', { key, body })
    expect(conflict).toMatchObject({ status: 409, body: { code: 'idempotency_key_conflict' } })
    const fresh = await client.request('POST', '/v1/beneficiaries', { key: randomUUID(), body })
    expect(fresh).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', fields: [{ path: 'payout_schema_id' }] },
    })
  })

  test('a missing, short or long key is 422 on its header', async () => {
    for (const key of [undefined, 'x'.repeat(15), 'x'.repeat(201)]) {
      const response = await client.request('POST', '/v1/beneficiaries', {
        body: beneficiaryBody(),
        ...(key === undefined ? {} : { key }),
      })
      expect(response).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', fields: [{ path: 'Idempotency-Key' }], refresh_onboarding: false },
      })
    }
  })

  test('past its window a key is refused, with a changed body too; after pruning it reads as new', async () => {
    const key = randomUUID()
    const first = await create(client, 'Window', key)
    await pollUntil(client, first.body.id, ['succeeded'])
    await stack.moveClock(['operations'], dayMs - 60_000)
    expect((await create(client, 'Window', key)).headers.get('Idempotent-Replayed')).toBe('true')
    await stack.moveClock(['operations'], dayMs + 60_000)
    const expired = { status: 409, body: { code: 'idempotency_key_expired', retryable: false } }
    expect(await create(client, 'Window', key)).toMatchObject(expired)
    expect(await create(client, 'Changed', key)).toMatchObject(expired)
    const found = await client.request('GET', `/v1/operations?idempotency_key=${key}`)
    expect(found.body.items).toMatchObject([{ id: first.body.id }])
    await stack.moveClock(['operations'], 30 * dayMs + 60_000)
    await expect
      .poll(async () => (await create(client, 'Changed', key)).status, { timeout: 120_000, interval: 200 })
      .toBe(202)
    await stack.moveClock(['operations'], 0)
    expect((await client.request('GET', `/v1/operations/${first.body.id}`)).body.state).toBe('succeeded')
  })

  test('an operation whose response was lost is found by its key', async () => {
    const key = randomUUID()
    const created = await create(client, 'Lost', key)
    const found = await client.request('GET', `/v1/operations?idempotency_key=${key}`)
    expect(found.body.items).toMatchObject([{ id: created.body.id }])
  })
})

test('the provider never saw a reference twice', async () => {
  expect((await provider.summary()).repeated).toEqual([])
})
