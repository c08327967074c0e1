/** The statements of subscriptions and deliveries do not touch rows of other owners, clients and processes. */

import { randomUUID } from 'node:crypto'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, expect, test } from 'vitest'
import { deleteDeliveries, recordResults } from './claim-store.ts'
import { failingForMs, recordEndpointFailing, recordEndpointHealthy } from './endpoint-health.ts'
import { migrations } from './migrations.ts'
import {
  deleteSubscription,
  findSubscription,
  type Holder,
  listSubscriptions,
  maxSubscriptions,
  recordSubscription,
} from './subscription-store.ts'

const database = await createTestDatabase({ service: 'notifier', migrations })
const db = database.open()
afterAll(() => database.close())

const start = new Date('2026-05-01T10:00:00.000Z')
const after = (ms: number) => new Date(start.getTime() + ms)
const read = <Row>(text: string, values: readonly unknown[] = []) => db.rows<Row>({ name: '', text }, values)

/** One owner with two clients, and another owner with one of them. */
const holdersOf = (): [Holder, Holder, Holder] => {
  const [owner_id, other] = [randomUUID(), randomUUID()]
  return [
    { owner_id, client_id: 'one' },
    { owner_id, client_id: 'two' },
    { owner_id: other, client_id: 'one' },
  ]
}

async function subscribe(holder: Holder, atMs = 0): Promise<string | undefined> {
  const id = randomUUID()
  const rest = { description: null, events: null, secret_sealed: Buffer.alloc(1), created_at: after(atMs) }
  return (await recordSubscription(db, { ...holder, id, url: 'https://h', host: 'h', ...rest }))?.id
}

test('pages of subscriptions have those of that owner and client alone', async () => {
  const holders = holdersOf()
  const made = new Map<Holder, (string | undefined)[]>()
  for (const holder of holders) made.set(holder, [])
  for (let n = 0; n < 4; n += 1) for (const holder of holders) made.get(holder)?.unshift(await subscribe(holder, n))
  for (const holder of holders) {
    const first = await listSubscriptions(db, holder, 2, undefined)
    const last = { created_at: String(first[1]?.created_at), id: String(first[1]?.id) }
    const second = await listSubscriptions(db, holder, 10, last)
    expect([...first, ...second].map(({ id }) => id)).toEqual(made.get(holder))
  }
})

test('the limit of subscriptions counts by owner and client', async () => {
  const [mine, ...others] = holdersOf()
  for (let n = 0; n < maxSubscriptions; n += 1) expect(await subscribe(mine)).toBeDefined()
  expect(await subscribe(mine)).toBeUndefined()
  for (const other of others) expect(await subscribe(other)).toBeDefined()
})

test('one is found and deleted by its own owner and client alone', async () => {
  const [mine, ...others] = holdersOf()
  const id = String(await subscribe(mine))
  const other = String(await subscribe(mine))
  for (const stranger of others) {
    expect(await findSubscription(db, stranger, id)).toBeUndefined()
    expect(await deleteSubscription(db, stranger, id)).toBe(false)
  }
  expect(await findSubscription(db, mine, id)).toMatchObject({ id })
  expect(await deleteSubscription(db, mine, id)).toBe(true)
  expect(await listSubscriptions(db, mine, 10, undefined)).toMatchObject([{ id: other }])
})

async function insertDelivery(lease: string): Promise<string> {
  const [row] = await read<{ id: string }>(
    `INSERT INTO deliveries (id, subscription_id, operation_id, sequence, host, event_type, body, status, attempts,
       next_attempt_at, lease_id, last_status_code, created_at)
     VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 2, 'h', 'operation.failed', '{}', 'pending', 1,
       $1, $2, 500, $1) RETURNING id`,
    [start, lease],
  )
  return String(row?.id)
}

test('deliveries are deleted by who holds their lease: those that are named, and no others', async () => {
  const [mine, theirs] = [randomUUID(), randomUUID()]
  const [gone, kept, foreign] = [await insertDelivery(mine), await insertDelivery(mine), await insertDelivery(theirs)]
  await deleteDeliveries(db, mine, [gone, foreign])
  const left = await read<{ id: string }>('SELECT id FROM deliveries')
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([kept, foreign]))
})

test('a result is of the delivery that it names, and without an attempt it keeps what was answered before', async () => {
  const lease = randomUUID()
  const [waiting, tried, other] = [
    await insertDelivery(lease),
    await insertDelivery(lease),
    await insertDelivery(lease),
  ]
  const pending = { status: 'pending', nextAttemptAt: after(1) } as const
  await recordResults(db, lease, [
    { id: waiting, ...pending, attempt: null },
    { id: tried, ...pending, attempt: { statusCode: null } },
  ])
  const rows = await read<{ id: string }>('SELECT id, attempts, last_status_code, lease_id FROM deliveries')
  const rowOf = (id: string) => rows.find((row) => row.id === id)
  expect(rowOf(waiting)).toEqual({ id: waiting, attempts: 1, last_status_code: 500, lease_id: null })
  expect(rowOf(tried)).toEqual({ id: tried, attempts: 2, last_status_code: null, lease_id: null })
  expect(rowOf(other)).toEqual({ id: other, attempts: 1, last_status_code: 500, lease_id: lease })
})

test('a receiver is given up that has failed for five days to the millisecond, and its subscription alone', async () => {
  const [holder] = holdersOf()
  const [id, other] = [String(await subscribe(holder)), String(await subscribe(holder))]
  const fail = (atMs: number, of = id) =>
    recordEndpointFailing(db, { subscriptionId: of, gone: false, now: after(atMs) })
  expect(await fail(0)).toBeNull()
  expect(await fail(0, other)).toBeNull()
  expect(await fail(failingForMs - 1)).toBeNull()
  await recordEndpointHealthy(db, other)
  expect(await fail(failingForMs)).toBe('endpoint_failing')
  expect(await findSubscription(db, holder, id)).toMatchObject({ status: 'disabled' })
  expect(await findSubscription(db, holder, other)).toMatchObject({ status: 'active' })
  expect(await fail(failingForMs, other)).toBeNull()
})

test('a subscription that is disabled stays as it was disabled first', async () => {
  const [holder] = holdersOf()
  const subscriptionId = String(await subscribe(holder))
  expect(await recordEndpointFailing(db, { subscriptionId, gone: true, now: start })).toBe('endpoint_gone')
  expect(await recordEndpointFailing(db, { subscriptionId, gone: false, now: after(2 * failingForMs) })).toBeNull()
  expect(await findSubscription(db, holder, subscriptionId)).toMatchObject({
    disabled_at: start.toISOString(),
    disabled_reason: 'endpoint_gone',
  })
})
