import { randomUUIDv7 } from 'node:crypto'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '../migrations.ts'
import { newHandoff } from '../world.test-helper.ts'
import { recordHandoffs } from './handoff.ts'
import { listReviews } from './reviews.ts'

let tables: TestDatabase
let db: Database
/** Oldest first. */
const ids: string[] = []

beforeAll(async () => {
  tables = await createTestDatabase({ service: 'reconciler', migrations })
  db = tables.open()
  // One made after the other, so that the order of the ids is known.
  for (let made = 0; made < 9; made += 1) ids.push(idOf(made))
  await recordHandoffs(
    db,
    ids.map((operation_id) => newHandoff('indeterminate', { operation_id })),
    new Date(),
  )
  await change(`SET review = true, review_reason = 'not found by 10 reads'`, ids.slice(0, 8))
})
afterAll(() => tables.close())

function idOf(minute: number): string {
  const time = (Date.parse('2026-11-20T10:00:00.000Z') + minute * 60_000).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`
}

async function change(what: string, of: string[]): Promise<void> {
  await db.rows(statement('', `UPDATE reconciliations ${what} WHERE operation_id = ANY ($1)`), [of])
}

const idsOf = (reviews: { operation_id: string }[]) => reviews.map(({ operation_id }) => operation_id)

test('what is under review is listed page by page, newest operation first, with the reason and when it was made', async () => {
  const first = await listReviews(db, { after: null, limit: 3 })
  expect(first[0]).toEqual({
    operation_id: ids[7],
    reason: 'not found by 10 reads',
    created_at: '2026-11-20T10:07:00.000Z',
  })
  const last = first.at(-1)
  const after = { created_at: String(last?.created_at), id: String(last?.operation_id) }
  const second = await listReviews(db, { after, limit: 100 })
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.slice(0, 8).toReversed())
  expect(await listReviews(db, { after: { created_at: '', id: 'no id' }, limit: 100 })).toEqual([])
})

test('of named operations those under review are reported, each once', async () => {
  const named = [String(ids[8]), String(ids[1]), String(ids[5]), String(ids[1]), 'no id', randomUUIDv7()]
  const found = await listReviews(db, { operation_ids: named, after: null, limit: 100 })
  expect(idsOf(found)).toEqual([ids[5], ids[1]])
  expect(await listReviews(db, { operation_ids: [], after: null, limit: 100 })).toEqual([])
})

test('what a read has settled is not under review any more', async () => {
  await change(`SET state = 'succeeded', settled_at = now(), next_read_at = NULL`, [String(ids[7])])
  expect(idsOf(await listReviews(db, { after: null, limit: 1 }))).toEqual([ids[6]])
  expect(await listReviews(db, { operation_ids: [String(ids[7])], after: null, limit: 1 })).toEqual([])
})
