/**
 * Frequent statements and statements over whole tables use their indexes, on a table that is large enough for the
 * planner to matter.
 */

import { type Statement, statement } from '@financial-agents/postgres/database'
import { referenceIdStatements } from '@financial-agents/postgres/reference-ids'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { pruneVoid, takeDue } from '@financial-agents/writes/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'spending', migrations })
const db = database.open()
afterAll(() => database.close())

beforeAll(async () => {
  await db.rows(
    statement(
      'test_fill',
      `INSERT INTO writes (operation_id, kind, resource_id, owner_id, client_id, route, state, outcome, operation_sequence,
         next_check_at, created_at, updated_at, voided_at)
       SELECT gen_random_uuid(), 'transfer', gen_random_uuid(), 'owner', 'client', 'route',
         CASE part WHEN 1 THEN 'void' ELSE 'accepted' END, CASE WHEN part > 1 THEN 'succeeded' END, 3, t, t, t,
         CASE part WHEN 1 THEN t END
       FROM (SELECT n % 100 AS part, timestamptz '2026-01-01' + n * interval '10 minutes' AS t
         FROM generate_series(1, 20000) n) filled`,
    ),
  )
  await db.rows(
    statement(
      'test_fill_accounts',
      `INSERT INTO accounts (owner_id, reference, id, first_seen_at)
       SELECT 'owner-' || n / 4, 'account-' || n % 4, gen_random_uuid(), now() FROM generate_series(1, 20000) n`,
    ),
  )
  for (const table of ['writes', 'accounts']) await db.rows(statement(`test_analyze_${table}`, `ANALYZE ${table}`))
})

const plan = (query: Statement, values: unknown[]) => explain(db, query, values)

const id = '01990000-0000-7000-8000-000000000000'
const early = '2026-01-01T20:00:00.000Z'

test.each([
  ['the background job', takeDue, [early, 30_000, 200], 'writes_to_check'],
  ['the prune', pruneVoid, [early, 500], 'writes_void'],
])('%s finds its rows by an index, without a scan of the table', async (_name, query, values, index) => {
  const text = await plan(query, values)
  expect(text).toContain(`using ${index}`)
  expect(text).not.toMatch(/Seq Scan/)
})

test('the accounts of an owner, and those seen first, are found by an index', async () => {
  const known = await plan(referenceIdStatements('accounts').known, ['owner-7', ['account-1', 'account-2', 'new']])
  expect(known).toContain('on accounts_pkey')
  const inserted = await plan(referenceIdStatements('accounts').insert, [
    'owner-7',
    ['account-1', 'new'],
    [id, id],
    new Date(),
  ])
  expect(inserted).toContain('Conflict Arbiter Indexes: accounts_pkey')
  for (const text of [known, inserted]) expect(text).not.toMatch(/Seq Scan/)
})
