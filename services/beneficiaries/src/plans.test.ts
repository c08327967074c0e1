/** The statements that run often or over everything use their indexes, on a table of a size at which it matters. */

import { openDatabase, type Statement, statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/testkit/database'
import { pruneVoid, takeDue } from '@financial-agents/writes/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstPage, nextPage } from './beneficiary-store.ts'
import { migrations } from './migrations.ts'

const database = await createTestDatabase({ service: 'beneficiaries', migrations })
const db = openDatabase({
  connectionString: database.connectionString,
  applicationName: 'beneficiaries-plans',
  schema: database.schema,
  maxConnections: 2,
  onError: () => {},
})
afterAll(async () => {
  await db.close()
  await database.close()
})

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
  await db.rows(statement('test_analyze_writes', 'ANALYZE writes'))
  await db.rows(statement('test_analyze', 'ANALYZE beneficiaries'))
})

async function plan(query: Statement, values: unknown[]): Promise<string> {
  const explain = statement(`explain_${query.name}`, `EXPLAIN ${query.text}`)
  const rows = await db.rows<{ 'QUERY PLAN': string }>(explain, values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const early = '2026-01-01T00:10:00.000Z'
const late = '2026-01-01T05:00:00.000Z'

test.each([
  ['the first page', firstPage, ['owner-7', 51], 'beneficiaries_of_owner'],
  ['a later page', nextPage, ['owner-7', 51, late, '01990000-0000-7000-8000-000000000000'], 'beneficiaries_of_owner'],
  ['the sweep', takeDue, [early, 30_000, 200], 'writes_to_check'],
  ['the prune', pruneVoid, [early, 500], 'writes_void'],
])('%s reads its index in order, without a scan of the table or a sort', async (_name, query, values, index) => {
  const text = await plan(query, values)
  expect(text).toContain(`using ${index}`)
  expect(text).not.toMatch(/Seq Scan|Sort/)
})
