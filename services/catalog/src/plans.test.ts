/**
 * Frequent statements and statements over whole tables use their indexes, on tables that are large enough for the
 * planner to matter.
 */

import { type Queryable, type Statement, statement } from '@financial-agents/postgres/database'
import { referenceIdStatements } from '@financial-agents/postgres/reference-ids'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { oneQuote, pruneQuotes, quoteIds } from './quote-store.ts'

const database = await createTestDatabase({ service: 'catalog', migrations })
const db = database.open()
afterAll(() => database.close())

beforeAll(async () => {
  await db.rows(
    statement(
      'test_fill',
      `WITH filled AS (
         SELECT gen_random_uuid() AS id, 'owner-' || n % 200 AS owner_id, 'ref-' || n AS reference,
           timestamptz '2026-01-01' + n * interval '1 second' AS t
         FROM generate_series(1, 20000) n),
       named AS (
         INSERT INTO quote_ids (owner_id, reference, id, first_seen_at) SELECT owner_id, reference, id, t FROM filled)
       INSERT INTO purchase_quotes (id, owner_id, client_id, service_id, product_id, quantity, amount, currency,
         provider_reference, created_at, expires_at)
       SELECT id, owner_id, 'client', id, 'p', 1, '1.00', 'EUR', reference, t, t FROM filled`,
    ),
  )
  for (const table of ['quote_ids', 'purchase_quotes']) await db.rows(statement(`test_${table}`, `ANALYZE ${table}`))
})

const early = '2026-01-01T00:10:00.000Z'
const id = '01990000-0000-7000-8000-000000000000'

test.each([
  ['one quote', oneQuote, [id, 'owner-7', 'client'], 'purchase_quotes_pkey'],
  ['the ids of a list', referenceIdStatements('quote_ids').known, ['owner-7', ['ref-7', 'ref-207']], 'quote_ids_pkey'],
  ['the quotes behind new ids', quoteIds, ['owner-7', ['ref-7', 'new']], 'purchase_quotes_by_reference'],
])('%s is reached by its index', async (_name, query, values, index) => {
  const text = await explain(db, query, values)
  expect(text).toContain(index)
  expect(text).not.toMatch(/Seq Scan/)
})

test('the prune of quotes finds them by their expiry, and takes them by their place', async () => {
  const seen: Statement[] = []
  const recording: Queryable = {
    rows: async (query) => {
      seen.push(query)
      return []
    },
  }
  await pruneQuotes(recording, new Date(early), 500)
  const text = await explain(db, seen[0] as Statement, [early, 500])
  expect(text).toContain('using purchase_quotes_by_expiry')
  expect(text).not.toMatch(/Seq Scan|Sort/)
})

test('quotes are pruned oldest first, by their expiry alone', async () => {
  expect(await pruneQuotes(db, new Date(early), 10)).toBe(10)
  const [row] = await db.rows<{ oldest: Date }>(
    statement('test_oldest', 'SELECT min(expires_at) AS oldest FROM purchase_quotes'),
  )
  expect(row?.oldest.toISOString()).toBe('2026-01-01T00:00:11.000Z')
})
