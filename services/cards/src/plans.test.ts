/**
 * Frequent statements and statements over whole tables use their indexes, on a table that is large enough for the
 * planner to matter.
 */

import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { pruneVoid, takeDue } from '@financial-agents/writes/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstPage, namedCard, nextPage, oneCard } from './card-store.ts'
import { lockCards, readCards, updateCards } from './card-writes.ts'
import { migrations } from './migrations.ts'
import { openReveal, pruneReveals } from './reveal-store.ts'

const database = await createTestDatabase({ service: 'cards', migrations })
const db = database.open()
afterAll(() => database.close())

beforeAll(async () => {
  await db.rows(
    statement(
      'test_fill',
      `WITH filled AS (
         SELECT gen_random_uuid() AS id, gen_random_uuid() AS operation_id, 'owner-' || n % 200 AS owner_id, n % 100 AS part,
           timestamptz '2026-01-01' + n * interval '1 second' AS t
         FROM generate_series(1, 20000) n),
       written AS (
         INSERT INTO writes (operation_id, kind, resource_id, owner_id, client_id, route, state, outcome, operation_sequence,
           next_check_at, created_at, updated_at, voided_at)
         SELECT operation_id, 'card_create', id, owner_id, 'client', 'route',
           CASE part WHEN 1 THEN 'void' ELSE 'accepted' END, CASE WHEN part > 1 THEN 'succeeded' END, 3, t, t, t,
           CASE part WHEN 1 THEN t END
         FROM filled),
       revealed AS (
         INSERT INTO reveal_sessions (id, card_id, owner_id, client_id, created_at)
         SELECT operation_id, id, owner_id, 'client', t FROM filled)
       INSERT INTO cards (id, operation_id, owner_id, type, currency, state, created_at, updated_at)
       SELECT id, operation_id, owner_id, 'virtual', 'EUR',
         CASE part WHEN 0 THEN 'pending' WHEN 1 THEN 'void' ELSE 'active' END, t, t
       FROM filled`,
    ),
  )
  for (const table of ['writes', 'cards', 'reveal_sessions'])
    await db.rows(statement(`test_${table}`, `ANALYZE ${table}`))
})

const plan = (query: Statement, values: unknown[]) => explain(db, query, values)

const early = '2026-01-01T00:10:00.000Z'
const late = '2026-01-01T05:00:00.000Z'
const id = '01990000-0000-7000-8000-000000000000'

test.each([
  ['the first page', firstPage, ['owner-7', 51], 'cards_of_owner'],
  ['a later page', nextPage, ['owner-7', 51, late, id], 'cards_of_owner'],
  ['one card', oneCard, [id, 'owner-7'], 'cards_pkey'],
  ['the card that a change names', namedCard, [id, 'owner-7'], 'cards_pkey'],
  ['the opening of a reveal', openReveal, [id, late], 'reveal_sessions_pkey'],
  ['the background job', takeDue, [early, 30_000, 200], 'writes_to_check'],
  ['the prune of void writes', pruneVoid, [early, 500], 'writes_void'],
])('%s reads its index in order, without a scan of the table or a sort', async (_name, query, values, index) => {
  const text = await plan(query, values)
  expect(text).toContain(`using ${index}`)
  expect(text).not.toMatch(/Seq Scan|Sort/)
})

test.each([
  ['the lock of a batch', lockCards, [[id]]],
  ['the read of a batch', readCards, [[id]]],
  ['the update of a batch', updateCards, [JSON.stringify([{ id }])]],
])('%s finds its cards by the primary key', async (_name, query, values) => {
  const text = await plan(query, values)
  expect(text).toContain('cards_pkey')
  expect(text).not.toMatch(/Seq Scan/)
})

test('the prune of reveal sessions finds them by their age, and takes them by their place', async () => {
  const seen: Statement[] = []
  const recording: Queryable = {
    rows: async (query) => {
      seen.push(query)
      return []
    },
  }
  await pruneReveals(recording, new Date(early), 500)
  const text = await plan(seen[0] as Statement, [early, 500])
  expect(text).toContain('using reveal_sessions_by_age')
  expect(text).not.toMatch(/Seq Scan|Sort/)
})

test('reveal sessions are pruned oldest first, by their age alone', async () => {
  expect(await pruneReveals(db, new Date(early), 10)).toBe(10)
  const [row] = await db.rows<{ oldest: Date }>(
    statement('test_oldest', 'SELECT min(created_at) AS oldest FROM reveal_sessions'),
  )
  expect(row?.oldest.toISOString()).toBe('2026-01-01T00:00:11.000Z')
})
