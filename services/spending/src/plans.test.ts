/** The statements that run often or over everything use their indexes, on a table of a size at which it matters. */

import { type Statement, statement } from '@financial-agents/postgres/database'
import { referenceIdStatements } from '@financial-agents/postgres/reference-ids'
import { createTestDatabase } from '@financial-agents/testkit/database'
import { explain } from '@financial-agents/testkit/explain'
import { pruneVoid, takeDue } from '@financial-agents/writes/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { addToDays, lock, lockDays, move, oneDay, oneWithdrawal, remove } from './withdrawal-store.ts'

const database = await createTestDatabase({ service: 'spending', migrations })
const db = database.open()
afterAll(() => database.close())

beforeAll(async () => {
  await db.rows(
    statement(
      'test_fill',
      `WITH filled AS (
         SELECT gen_random_uuid() AS id, gen_random_uuid() AS operation_id, 'grant-' || n % 500 AS grant_id, n % 100 AS part,
           timestamptz '2026-01-01' + n * interval '10 minutes' AS t
         FROM generate_series(1, 20000) n),
       written AS (
         INSERT INTO writes (operation_id, kind, resource_id, owner_id, client_id, route, state, outcome, operation_sequence,
           next_check_at, created_at, updated_at, voided_at)
         SELECT operation_id, 'transfer', id, 'owner', 'client', 'route',
           CASE part WHEN 1 THEN 'void' ELSE 'accepted' END, CASE WHEN part > 1 THEN 'succeeded' END, 3, t, t, t,
           CASE part WHEN 1 THEN t END
         FROM filled),
       reserved AS (
         INSERT INTO grant_days (grant_id, day, currency, reserved)
         SELECT grant_id, t::date, 'EUR', count(*) FROM filled GROUP BY 1, 2)
       INSERT INTO withdrawals (id, operation_id, owner_id, client_id, grant_id, beneficiary_id, amount, currency, day, state,
         created_at, updated_at)
       SELECT id, operation_id, 'owner', 'client', grant_id, gen_random_uuid(), 1, 'EUR', t::date,
         CASE part WHEN 0 THEN 'pending' WHEN 1 THEN 'void' ELSE 'succeeded' END, t, t
       FROM filled`,
    ),
  )
  await db.rows(
    statement(
      'test_fill_accounts',
      `INSERT INTO accounts (owner_id, reference, id, first_seen_at)
       SELECT 'owner-' || n / 4, 'account-' || n % 4, gen_random_uuid(), now() FROM generate_series(1, 20000) n`,
    ),
  )
  for (const table of ['writes', 'withdrawals', 'grant_days', 'accounts'])
    await db.rows(statement(`test_analyze_${table}`, `ANALYZE ${table}`))
})

const plan = (query: Statement, values: unknown[]) => explain(db, query, values)

const id = '01990000-0000-7000-8000-000000000000'
const days = [{ grant_id: 'grant-7', day: '2026-01-02', currency: 'EUR', amount: '1' }]
const moves = [{ id, state: 'succeeded', at: '2026-01-02T00:00:00.000Z' }]
const early = '2026-01-01T20:00:00.000Z'

test.each([
  ['locking days', lockDays, [JSON.stringify(days)], 'grant_days_pkey'],
  ['reserving and letting go', addToDays, [JSON.stringify(days)], 'grant_days_pkey'],
  ['what a day has reserved', oneDay, ['grant-7', '2026-01-02', 'EUR'], 'grant_days_pkey'],
  ['where a withdrawal is reserved', oneWithdrawal, [id], 'withdrawals_pkey'],
  ['locking withdrawals', lock, [[id]], 'withdrawals_pkey'],
  ['moving withdrawals', move, [JSON.stringify(moves)], 'withdrawals_pkey'],
  ['removing withdrawals', remove, [[id]], 'withdrawals_pkey'],
  ['the sweep', takeDue, [early, 30_000, 200], 'writes_to_check'],
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
