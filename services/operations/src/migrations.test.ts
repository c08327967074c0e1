import { transitions } from '@financial-agents/contract/machine'
import type { Database } from '@financial-agents/postgres/database'
import { migrate } from '@financial-agents/postgres/migrate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { createInstance, newRequest, openTestOperations, query } from './operations.test-helper.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
})
afterAll(() => tables.close())

function insertHistory(...values: string[]) {
  return query(db, 'INSERT INTO history VALUES (gen_random_uuid(), 2, $1, $2, $3, $4, now())', values)
}

test('the transitions that PostgreSQL takes are those of the machine', async () => {
  const [constraint] = await query<{ text: string }>(
    db,
    `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint
    WHERE conrelid = 'history'::regclass AND conname = 'legal_transition'`,
  )
  const lines = [...String(constraint?.text).matchAll(/'([^']+ [^']+)'::text/g)].map(([, line]) => String(line))
  const advice = 'a transition that the machine gains needs a new migration that replaces the constraint'
  expect(lines.toSorted(), advice).toEqual(
    transitions.map((row) => `${row.from ?? 'new'} ${row.event} ${row.to} ${row.by}`).toSorted(),
  )
})

test('history takes no transition that the machine does not know', async () => {
  await insertHistory('accepted', 'claim', 'submitting', 'submitter')
  await expect(insertHistory('succeeded', 'claim', 'submitting', 'submitter')).rejects.toThrow('legal_transition')
  await expect(insertHistory('accepted', 'claim', 'submitting', 'operations')).rejects.toThrow('legal_transition')
})

test('history is append-only', async () => {
  await createInstance(db).accept(newRequest())
  await expect(query(db, `UPDATE history SET reason = 'another'`)).rejects.toThrow('history is append-only')
  await expect(query(db, 'DELETE FROM history')).rejects.toThrow('history is append-only')
  await expect(query(db, 'TRUNCATE history')).rejects.toThrow('history is append-only')
})

test('no row holds a payload in a state that follows an outcome', async () => {
  await createInstance(db).accept(newRequest())
  await expect(query(db, `UPDATE operations SET state = 'failed'`)).rejects.toThrow('payload_gone_with_outcome')
})

test('migrating again changes nothing', async () => {
  const { connectionString, schema } = tables
  expect(await migrate({ connectionString, schema, migrations })).toEqual([])
})
