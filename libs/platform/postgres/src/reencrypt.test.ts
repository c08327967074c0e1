/**
 * Rotation of sealing keys: values that an earlier key sealed are sealed with the first key, and nothing else changes.
 */

import { randomBytes, randomUUID } from 'node:crypto'
import { createSealer, type SealingKey } from '@financial-agents/runtime/sealing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, statement } from './database.ts'
import { sqlMigration } from './migrate.ts'
import { reencrypt } from './reencrypt.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'

const column = { table: 'things', column: 'sealed' }
const newKey = (id: string): SealingKey => ({ id, key: randomBytes(32) })
// One key's id is a prefix of another's.
const [former, next, lost] = [newKey('2026'), newKey('2026-11'), newKey('lost')]

let database: TestDatabase
let db: Database

beforeAll(async () => {
  const init = sqlMigration('CREATE TABLE things (id uuid PRIMARY KEY, sealed bytea, note text)')
  database = await createTestDatabase({ service: 'reencrypted', migrations: { '0001_init': init } })
  db = database.open()
})
afterAll(() => database.close())
beforeEach(() => db.rows(statement('clear', 'DELETE FROM things')))

const insert = statement('insert', 'INSERT INTO things SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::text[])')

async function keep(keys: readonly SealingKey[], count: number): Promise<string[]> {
  const sealer = createSealer(keys)
  const ids = Array.from({ length: count }, () => randomUUID())
  await db.rows(insert, [ids, ids.map((id) => sealer.seal(Buffer.from(`secret of ${id}`), id)), ids.map(() => 'note')])
  return ids
}

type Thing = { id: string; sealed: Buffer | null; note: string | null }
const readAll = () => db.rows<Thing>(statement('read_all', 'SELECT * FROM things ORDER BY id'))

test('afterwards the first key alone opens every value, for any number of rows; a second run finds nothing', async () => {
  await keep([former], 2_000)
  expect(await reencrypt(db, column, [next, former])).toEqual({ reencrypted: 2_000, unopened: [] })
  const alone = createSealer([next])
  for (const { id, sealed, note } of await readAll()) {
    expect(alone.open(sealed as Buffer, id).toString()).toBe(`secret of ${id}`)
    expect(note).toBe('note')
  }
  expect(await reencrypt(db, column, [next, former])).toEqual({ reencrypted: 0, unopened: [] })
})

test('a value of the first key stays byte by byte, as does a row without a value', async () => {
  await keep([next], 3)
  await db.rows(insert, [[randomUUID()], [null], [null]])
  const before = await readAll()
  expect(await reencrypt(db, column, [next, former])).toEqual({ reencrypted: 0, unopened: [] })
  expect(await readAll()).toEqual(before)
})

test('a key id with the first id as its prefix is another key', async () => {
  await keep([next], 2)
  expect(await reencrypt(db, column, [former, next])).toEqual({ reencrypted: 2, unopened: [] })
})

test('a value that no key opens stays as it is and is reported, and later rows are sealed again', async () => {
  const ids = await keep([lost], 600)
  const before = (await readAll()).filter(({ id }) => ids.includes(id))
  await keep([former], 600)
  const { reencrypted, unopened } = await reencrypt(db, column, [next, former])
  expect(reencrypted).toBe(600)
  expect(unopened.toSorted()).toEqual(ids.toSorted())
  expect((await readAll()).filter(({ id }) => ids.includes(id))).toEqual(before)
})

test('a value that another transaction is changing is sealed in its new form', async () => {
  const [id = ''] = await keep([former], 1)
  const update = statement('update', 'UPDATE things SET sealed = $2 WHERE id = $1')
  let reencrypting: ReturnType<typeof reencrypt> | undefined
  await db.transaction(async (tx) => {
    await tx.rows(update, [id, createSealer([former]).seal(Buffer.from('changed'), id)])
    reencrypting = reencrypt(db, column, [next, former])
    const waiting = statement(
      'waiting',
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND usename = current_user`,
    )
    await expect.poll(async () => (await db.rows(waiting)).length).toBe(1)
  })
  expect(await reencrypting).toEqual({ reencrypted: 1, unopened: [] })
  const [row] = await readAll()
  expect(
    createSealer([next])
      .open(row?.sealed as Buffer, id)
      .toString(),
  ).toBe('changed')
})
