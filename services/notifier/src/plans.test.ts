/** Every statement on a growing table uses an index, on tables that are large enough for the planner to matter. */

import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advance, anySubscription, begin, seen } from './catch-up.ts'
import { claimDue, deleteLeased, listWaitingHosts, nextHosts, settleLeased, subscriptionsOf } from './claim-store.ts'
import { firstDeliveries, nextDeliveries, oneDelivery, resendDelivery } from './delivery-list.ts'
import { failing, healthy } from './endpoint-health.ts'
import { migrations } from './migrations.ts'
import { activeOfClients, insertMany } from './new-deliveries.ts'
import { pruneDeliveries } from './prune.ts'
import {
  deleteOne,
  firstSubscriptions,
  insertSubscription,
  nextSubscriptions,
  oneSubscription,
} from './subscription-store.ts'

const database = await createTestDatabase({ service: 'notifier', migrations })
const db = database.open()
afterAll(() => database.close())

const early = '2026-01-01T00:10:00.000Z'
const late = '2026-01-01T05:00:00.000Z'
const id = '01990000-0000-7000-8000-000000000000'

beforeAll(async () => {
  await db.rows(
    statement(
      'test_fill',
      `WITH filled AS (
         SELECT gen_random_uuid() AS id, n, timestamptz '2026-01-01' + n * interval '1 second' AS t
         FROM generate_series(1, 20000) n),
       subscribed AS (
         INSERT INTO subscriptions (id, owner_id, client_id, url, host, secret_sealed, created_at)
         SELECT id, 'owner-' || n % 2000, 'client', 'https://h', 'host-' || n % 50, '', t FROM filled)
       INSERT INTO deliveries (id, subscription_id, operation_id, sequence, host, event_type, body, status, attempts,
         next_attempt_at, created_at)
       SELECT gen_random_uuid(), id, gen_random_uuid(), 2, 'host-' || n % 50, 'operation.failed', '{}',
         CASE n % 10 WHEN 0 THEN 'pending' ELSE 'delivered' END, 1, CASE n % 10 WHEN 0 THEN t END, t
       FROM filled`,
    ),
  )
  for (const table of ['subscriptions', 'deliveries']) await db.rows(statement(`test_${table}`, `ANALYZE ${table}`))
})

test.each([
  ['one subscription', oneSubscription, [id, 'owner-7', 'client'], 'subscriptions_pkey'],
  ['the end of one', deleteOne, [id, 'owner-7', 'client'], 'subscriptions_pkey'],
  ['one delivery', oneDelivery, [id, id], 'Index Scan'],
  ['what is sent again', resendDelivery, [id, id, late], 'Index Scan'],
  ['the first page of deliveries', firstDeliveries, [id, 51], 'deliveries_newest'],
  ['a later page of them', nextDeliveries, [id, 51, late, id], 'deliveries_newest'],
  ['who is notified of transitions', activeOfClients, [['owner-7'], ['client']], 'subscriptions_of_client'],
  ['the next hosts', nextHosts, ['', 256], 'deliveries_due'],
  ['the subscriptions of what is claimed', subscriptionsOf, [[id]], 'subscriptions_pkey'],
  ['what is due', claimDue, [['host-7'], [8], late, late, id], 'deliveries_due'],
  ['a result', settleLeased, [id, [id], ['failed'], [true], [500], [null]], 'deliveries_pkey'],
  ['the end of orphans', deleteLeased, [[id], id], 'deliveries_pkey'],
  ['a success', healthy, [id], 'subscriptions_pkey'],
  ['a failure', failing, [id, late, early, false], 'subscriptions_pkey'],
])('%s reads its index, without a scan of the table or a sort of it', async (_name, query, values, index) => {
  const text = await explain(db, query, values)
  expect(text).toContain(index)
  expect(text).not.toMatch(/Seq Scan|Sort/)
})

test.each([
  ['the first page', firstSubscriptions, ['owner-7', 'client', 51]],
  ['a later page', nextSubscriptions, ['owner-7', 'client', 51, late, id]],
])('%s of subscriptions reads no more than the few that owner and client hold', async (_name, query, values) => {
  const text = await explain(db, query, values)
  expect(text).toContain('subscriptions_of_client')
  expect(text).not.toMatch(/Seq Scan/)
})

test('a new subscription counts those of its owner and client by their index', async () => {
  const values = [id, 'owner-7', 'client', 'https://h', 'h', null, null, Buffer.alloc(0), late]
  const text = await explain(db, insertSubscription, values)
  expect(text).toContain('subscriptions_of_client')
  expect(text).not.toMatch(/Seq Scan/)
})

test('deliveries that are there are met by their unique index', async () => {
  const text = await explain(db, insertMany, [[id], [id], [id], [2], ['h'], ['operation.failed'], ['{}'], late])
  expect(text).toContain('deliveries_of_operation')
  expect(text).not.toMatch(/Seq Scan/)
})

test('the prune finds deliveries by their age', async () => {
  const queries: Statement[] = []
  const recording: Queryable = {
    rows: async (query) => {
      queries.push(query)
      return []
    },
  }
  await pruneDeliveries(recording, new Date(early), 500)
  const text = await explain(db, queries[0] as Statement, [early, 500])
  expect(text).toContain('using deliveries_by_age')
  expect(text).not.toMatch(/Seq Scan|Sort/)
})

test('the time up to which transitions were seen is one row', async () => {
  await db.rows(begin, [early])
  await db.rows(begin, [late])
  await db.rows(advance, [late])
  await db.rows(advance, [early])
  expect(await db.rows(seen)).toEqual([{ until: new Date(late) }])
  expect(await db.rows(anySubscription)).toHaveLength(1)
})

test('hosts that wait are read one by one, in their order and from where one left off', async () => {
  const first = await listWaitingHosts(db, '', 3)
  expect(first.map(({ host }) => host)).toEqual(['host-0', 'host-10', 'host-20'])
  expect(first[0]?.next_attempt_at.toISOString()).toBe('2026-01-01T00:00:50.000Z')
  const rest = await listWaitingHosts(db, 'host-20', 256)
  expect(rest.map(({ host }) => host)).toEqual(['host-30', 'host-40'])
  const [row] = await db.rows<{
    'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }]
  }>(statement('test_buffers', `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${nextHosts.text}`), ['', 256])
  const plan = row?.['QUERY PLAN'][0].Plan
  expect((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(40)
})
