import { randomUUIDv7 } from 'node:crypto'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveriesOfOperation, listDeliveriesOfOperation } from './delivery-list.ts'
import { migrations } from './migrations.ts'

let tables: TestDatabase
let db: Database

beforeAll(async () => {
  tables = await createTestDatabase({ service: 'notifier', migrations })
  db = tables.open()
})
afterAll(() => tables.close())

const insert = statement(
  'test_insert',
  `INSERT INTO deliveries (id, subscription_id, operation_id, sequence, host, event_type, body, status, attempts,
    next_attempt_at, created_at)
  VALUES ($1, $2, $3, $4, 'secret.example', 'operation.submitted', 'secret', 'pending', 0, $5, $5)`,
)
const at = (minute: number) => new Date(Date.parse('2026-11-20T10:00:00.000Z') + minute * 60_000)

async function deliver(operation: string, minute: number, sequence = 2): Promise<string> {
  const id = randomUUIDv7()
  await db.rows(insert, [id, randomUUIDv7(), operation, sequence, at(minute)])
  return id
}

test('the deliveries of an operation are shown newest first, whichever subscriptions they are of, and no others', async () => {
  const operation = randomUUIDv7()
  const first = await deliver(operation, 1)
  const last = await deliver(operation, 3, 3)
  const second = await deliver(operation, 2)
  await deliver(randomUUIDv7(), 2)
  const found = await listDeliveriesOfOperation(db, operation)
  expect(found.map(({ id }) => id)).toEqual([last, second, first])
  expect(found[0]).toEqual({
    id: last,
    event_type: 'operation.submitted',
    operation_id: operation,
    status: 'pending',
    attempts: 0,
    last_status_code: null,
    next_attempt_at: at(3).toISOString(),
    created_at: at(3).toISOString(),
  })
  expect(await listDeliveriesOfOperation(db, randomUUIDv7())).toEqual([])
  expect(await listDeliveriesOfOperation(db, 'no id')).toEqual([])
})

test('at most a hundred are shown', async () => {
  const operation = randomUUIDv7()
  for (let sequence = 2; sequence < 110; sequence += 1) await deliver(operation, sequence, sequence)
  const found = await listDeliveriesOfOperation(db, operation)
  expect(found).toHaveLength(100)
  expect(found[0]?.created_at).toBe(at(109).toISOString())
})

test('one delivery for a subscription, an operation and a sequence, and those of an operation by that index', async () => {
  const ids = [randomUUIDv7(), randomUUIDv7()]
  await db.rows(insert, [randomUUIDv7(), ids[0], ids[1], 2, at(1)])
  await expect(db.rows(insert, [randomUUIDv7(), ids[0], ids[1], 2, at(1)])).rejects.toThrow('deliveries_of_operation')
  await db.rows(
    statement(
      'test_many',
      `INSERT INTO deliveries (id, subscription_id, operation_id, sequence, host, event_type, body, status, attempts,
        created_at)
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 2, 'h', 'operation.failed', '', 'delivered', 1, now()
      FROM generate_series(1, 3000)`,
    ),
  )
  for (const analyze of [false, true]) {
    if (analyze) await db.rows(statement('', 'ANALYZE deliveries'))
    expect(await explain(db, deliveriesOfOperation, [ids[1]])).toContain('deliveries_of_operation')
  }
})
