/**
 * Frequent statements and statements over whole tables use their indexes, on a table that is large enough for the
 * planner to matter.
 */

import { type Statement, statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { explain } from '@financial-agents/postgres/testing/explain'
import { pruneVoid, takeDue } from '@financial-agents/writes/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstPage, nextPage } from './beneficiary-store.ts'
import { consent, ofGrant } from './mandates/authority-store.ts'
import { leaseDue } from './mandates/fence-store.ts'
import { lockRows } from './mandates/lock.ts'
import { largestUndecided } from './mandates/lower-caps.ts'
import { readStates, writeStates } from './mandates/moves.ts'
import { release, reserve } from './mandates/reservation-store.ts'
import {
  firstMandates,
  mandatesById,
  nextMandates,
  oneMandate,
  overMandates,
  runningMandates,
} from './mandates/store.ts'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'beneficiaries', migrations })
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
         SELECT operation_id, 'beneficiary_create', id, owner_id, 'client', 'route',
           CASE part WHEN 1 THEN 'void' ELSE 'accepted' END, CASE WHEN part > 1 THEN 'succeeded' END, 3, t, t, t,
           CASE part WHEN 1 THEN t END
         FROM filled)
       INSERT INTO beneficiaries (id, operation_id, owner_id, name, country, currency, payout_schema_id, is_external,
         masked_details, state, created_at, updated_at)
       SELECT id, operation_id, owner_id, 'name', 'PT', 'EUR', 'schema', false, '{}',
         CASE part WHEN 0 THEN 'pending' WHEN 1 THEN 'void' ELSE 'active' END, t, t
       FROM filled`,
    ),
  )
  await fillMandates()
  await db.rows(statement('test_analyze_writes', 'ANALYZE writes'))
  await db.rows(statement('test_analyze', 'ANALYZE beneficiaries'))
})

async function fillMandates() {
  await db.rows(
    statement(
      'test_fill_mandates',
      `WITH filled AS (
         INSERT INTO mandates (id, operation_id, owner_id, client_id, grant_id, beneficiary_id, currency, authorized_clients,
           authorized_rules, per_payment_max, daily_max, weekly_max, monthly_max, total_cap, payment_count, expires_at, state,
           created_at, updated_at)
         SELECT gen_random_uuid(), gen_random_uuid(), owner_id, 'client', 'grant', id, 'EUR', '{client}', '{}', 1, 2, 3, 4, 5, 100,
           '2027-01-01', 'active', created_at, created_at FROM beneficiaries
         RETURNING id, created_at),
       windows AS (
         INSERT INTO mandate_windows (mandate_id, period, starts_on, cap, reserved)
         SELECT id, 'day', date '2026-01-01' + n, 2, 1 FROM filled, generate_series(0, 4) n),
       authorities AS (
         INSERT INTO mandate_authorities (mandate_id, client_id, grant_id, how, given_at)
         SELECT id, 'client', 'grant-' || n, 'confirmed', created_at FROM filled, generate_series(1, 3) n),
       fences AS (
         INSERT INTO mandate_fences (mandate_id, reason, confirmed)
         SELECT id, 'mandate_suspend', random() >= 0.01 FROM filled)
       INSERT INTO mandate_reservations (operation_id, mandate_id, amount, day, week, month, reserved_at)
       SELECT gen_random_uuid(), id, 1, '2026-01-01', '2025-12-29', '2026-01-01', created_at FROM filled, generate_series(1, 3)`,
    ),
  )
  for (const table of ['mandates', 'mandate_windows', 'mandate_fences', 'mandate_reservations', 'mandate_authorities'])
    await db.rows(statement(`test_analyze_${table}`, `ANALYZE ${table}`))
}

const plan = (query: Statement, values: unknown[]) => explain(db, query, values)

const early = '2026-01-01T00:10:00.000Z'
const late = '2026-01-01T05:00:00.000Z'

test.each([
  ['the first page', firstPage, ['owner-7', 51], 'beneficiaries_of_owner'],
  ['a later page', nextPage, ['owner-7', 51, late, '01990000-0000-7000-8000-000000000000'], 'beneficiaries_of_owner'],
  ['the background job', takeDue, [early, 30_000, 200], 'writes_to_check'],
  ['the prune', pruneVoid, [early, 500], 'writes_void'],
])('%s reads its index in order, without a scan of the table or a sort', async (_name, query, values, index) => {
  const text = await plan(query, values)
  expect(text).toContain(`using ${index}`)
  expect(text).not.toMatch(/Seq Scan|Sort/)
})

const someId = '01990000-0000-7000-8000-000000000000'
const windows = ['2026-01-01', '2025-12-29', '2026-01-01']
const ids = [someId, '01990000-0000-7000-8000-000000000001']
const moved = JSON.stringify(ids.map((id) => ({ id, state: 'active' })))
const reserved = JSON.stringify(ids.map((mandate_id) => ({ mandate_id, operation_id: mandate_id, amount: '1' })))

test.each([
  ['the first page of mandates', firstMandates, [...windows, 'owner-7', 'client', 51], 'mandates_of_owner'],
  ['a later page of mandates', nextMandates, [...windows, 'owner-7', 'client', 51, late, someId], 'mandates_of_owner'],
])('%s reads its index in order, and each row by its keys', async (_name, query, values, index) => {
  const text = await plan(query, values)
  expect(text).toContain(`using ${index}`)
  expect(text).not.toMatch(/Seq Scan|Sort/)
})

test.each([
  ['one mandate', oneMandate, [...windows, someId, 'owner-7', 'client'], ['mandates_pkey', 'mandate_windows_pkey']],
  ['mandates that are validated', mandatesById, [...windows, ids], ['mandates_pkey', 'mandate_windows_pkey']],
  [
    'running mandates of an owner',
    runningMandates,
    [...windows, 'owner-7', late, late, someId, 100],
    ['mandates_of_owner'],
  ],
  ['those that are over', overMandates, [...windows, 'owner-7', late, 50], ['mandates_of_owner']],
  ['mandates that are given again', consent, [ids, 'owner-7', 'client', 'grant', late], ['mandates_pkey']],
  ['those that a grant has', ofGrant, [ids, 'client', 'grant'], ['mandate_authorities_pkey']],
  ['the lock', lockRows, [ids, ids], ['mandates_pkey', 'mandate_reservations_pkey']],
  ['undecided payments', largestUndecided, [someId, '1'], ['writes_to_check', 'mandate_reservations_pkey']],
  ['the states that are moved', readStates, [ids], ['mandates_pkey']],
  ['the moves', writeStates, [moved], ['mandates_pkey']],
  ['the reservations', reserve, [reserved, ...windows, late], ['mandates_pkey']],
  ['the release', release, [ids, late], ['mandates_pkey', 'mandate_reservations_pkey', 'mandate_windows_pkey']],
  ['the fences that are due', leaseDue, [late, late, 20], ['mandate_fences_unconfirmed', 'mandate_fences_pkey']],
])('%s are found by their keys, without a scan of a table', async (_name, query, values, indexes) => {
  const text = await plan(query, values)
  for (const index of indexes) expect(text).toContain(index)
  expect(text).not.toMatch(/Seq Scan/)
})
