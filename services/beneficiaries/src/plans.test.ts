/** The statements that run often or over everything use their indexes, on a table of a size at which it matters. */

import { openDatabase, type Statement, statement } from '@financial-agents/postgres/database'
import { createTestDatabase } from '@financial-agents/testkit/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstPage, nextPage } from './beneficiary-store.ts'
import { migrations } from './migrations.ts'
import { pruneVoid, takeDue } from './progress-store.ts'

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
      `INSERT INTO beneficiaries (id, operation_id, owner_id, client_id, route, name, country, currency, payout_schema_id,
         is_external, masked_details, state, operation_sequence, next_check_at, created_at, updated_at,
         voided_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'owner-' || n % 200, 'client', 'route', 'name', 'PT', 'EUR', 'schema',
         false, '{}', CASE WHEN n % 100 = 0 THEN 'pending' WHEN n % 100 = 1 THEN 'void' ELSE 'active' END, 3,
         t, t, t, CASE WHEN n % 100 = 1 THEN t END
       FROM generate_series(1, 20000) n, LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 second' AS t) times`,
    ),
  )
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
  ['the sweep', takeDue, [early, 30_000, 200], 'beneficiaries_to_check'],
  ['the prune', pruneVoid, [early, 500], 'beneficiaries_void'],
])('%s reads its index in order, without a scan of the table or a sort', async (_name, query, values, index) => {
  const text = await plan(query, values)
  expect(text).toContain(`using ${index}`)
  expect(text).not.toMatch(/Seq Scan|Sort/)
})
