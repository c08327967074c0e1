import { transitions } from '@financial-agents/operation-machine/machine'
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
  const rows = await query<Record<string, string>>(
    db,
    'SELECT from_state, event, to_state, moved_by FROM legal_transitions',
  )
  const lines = rows.map((row) => Object.values(row).join(' '))
  const advice = 'a transition that the machine gains needs a new migration that inserts it into legal_transitions'
  expect(lines.toSorted(), advice).toEqual(
    transitions.map((row) => `${row.from ?? 'new'} ${row.event} ${row.to} ${row.by}`).toSorted(),
  )
})

test('history takes no transition that the machine does not know', async () => {
  await insertHistory('accepted', 'claim', 'submitting', 'submitter')
  await expect(insertHistory('succeeded', 'claim', 'submitting', 'submitter')).rejects.toThrow('foreign key')
  await expect(insertHistory('accepted', 'claim', 'submitting', 'operations')).rejects.toThrow('foreign key')
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
