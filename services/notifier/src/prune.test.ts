import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, expect, test } from 'vitest'
import { recordResults } from './claim-store.ts'
import { migrations } from './migrations.ts'
import { pruneDeliveries } from './prune.ts'

const database = await createTestDatabase({ service: 'notifier', migrations })
const db = database.open()
afterAll(() => database.close())

const insert = (createdAt: string, lease: string | null = null) =>
  db.rows<{ id: string }>(
    {
      name: '',
      text: `INSERT INTO deliveries (id, subscription_id, operation_id, sequence, host, event_type, body, status, attempts,
          next_attempt_at, lease_id, created_at)
        VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 2, 'h', 'operation.failed', '{}', 'pending', 1,
          $1::timestamptz, $2, $1) RETURNING id`,
    },
    [createdAt, lease],
  )

test('deliveries go oldest first, and no more at a time than asked for', async () => {
  await insert('2026-01-01T00:00:00.000Z')
  await insert('2026-01-02T00:00:00.000Z')
  await insert('2026-01-03T00:00:00.000Z')
  const before = new Date('2026-01-02T12:00:00.000Z')
  expect(await pruneDeliveries(db, before, 1)).toBe(1)
  expect(await pruneDeliveries(db, before, 10)).toBe(1)
  expect(await pruneDeliveries(db, before, 10)).toBe(0)
})

test('a process that lost the lease of a delivery records nothing about it', async () => {
  const [mine, theirs] = ['01990000-0000-7000-8000-000000000001', '01990000-0000-7000-8000-000000000002']
  const [row] = await insert('2026-02-01T00:00:00.000Z', theirs)
  const id = String(row?.id)
  const read = () => db.rows({ name: '', text: 'SELECT status, attempts FROM deliveries WHERE id = $1' }, [id])
  const delivered = { id, status: 'delivered', attempt: { statusCode: 204 }, nextAttemptAt: null } as const
  await recordResults(db, mine, [delivered])
  expect(await read()).toEqual([{ status: 'pending', attempts: 1 }])
  await recordResults(db, theirs, [delivered])
  expect(await read()).toEqual([{ status: 'delivered', attempts: 2 }])
})
