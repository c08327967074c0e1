/** The outbox in PostgreSQL: a batch is repeated until it is removed. */

import { randomUUID } from 'node:crypto'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { claimMarked, newItem, outcomeOf } from '../items.test-helper.ts'
import { migrations } from '../migrations.ts'
import { batchIdOf, type ClaimItem } from './claims.ts'
import { listOpenAttempts } from './fences.ts'
import { recordForgotten, removeConfirmed, takeUnconfirmed } from './outbox.ts'
import { recordExpiries, recordOutcomes } from './outcomes.ts'

let tables: TestDatabase
let db: Database
beforeAll(async () => {
  tables = await createTestDatabase({ service: 'submitter', migrations })
  db = tables.open()
})
afterAll(() => tables.close())
beforeEach(() => db.rows(statement('', 'DELETE FROM outbox')))

const at = new Date()
const after = (ms: number) => new Date(at.getTime() + ms)
const idOf = (item: ClaimItem) => item.operation.operation_id

async function claim(count: number): Promise<ClaimItem[]> {
  const items = Array.from({ length: count }, () => newItem(at))
  expect(await claimMarked(db, items, 2_000)).toHaveLength(count)
  return items
}

type Settled = Parameters<typeof takeUnconfirmed>[1]['settled']
async function take(ms: number, settled: Settled = []): Promise<string[]> {
  const batches = await takeUnconfirmed(db, { now: after(ms), republishAfterMs: 2_000, limit: 8, settled })
  return batches.flatMap(({ rows }) => rows.map((row) => row.operation_id)).toSorted()
}

test('the claims of a batch are one row, which is due until it is removed', async () => {
  const items = await claim(128)
  const ids = items.map(idOf).toSorted()
  expect(await db.rows(statement('', 'SELECT FROM outbox'))).toHaveLength(1)
  expect(await take(1_900)).toEqual([])
  expect(await take(2_100)).toEqual(ids)
  expect(await take(6_000)).toEqual([])
  expect(await take(6_200)).toEqual(ids)
  expect(await take(600_000)).toEqual(ids)
  await removeConfirmed(db, [batchIdOf(items)])
  expect(await take(6_000_000)).toEqual([])
})

test('an operation that is claimed twice is in one batch', async () => {
  const [item] = await claim(1)
  expect(await claimMarked(db, [{ ...(item as ClaimItem), attemptId: randomUUID() }], 2_000)).toEqual([])
  expect(await db.rows(statement('', 'SELECT FROM outbox'))).toHaveLength(1)
})

test('settled operations leave their own batch alone, and never empty it', async () => {
  const items = await claim(3)
  const [one, two, three] = items.map(idOf) as [string, string, string]
  const settled = (...ids: string[]) => ids.map((operationId) => ({ batchId: batchIdOf(items), operationId }))
  expect(await take(10_000, [{ batchId: randomUUID(), operationId: one }])).toHaveLength(3)
  expect(await take(50_000, settled(one))).toEqual([two, three].toSorted())
  expect(await take(100_000, settled(two, three))).toEqual([two, three].toSorted())
  expect(await take(150_000, settled(two))).toEqual([three])
})

test('an attempt whose lease has ended is given up once, and its batch is due again', async () => {
  const items = await claim(3)
  const [ended, ...open] = items as [ClaimItem, ...ClaimItem[]]
  await recordOutcomes(db, [outcomeOf(ended)])
  await take(20_000)
  const expire = (ms: number) => recordExpiries(db, { now: after(ms), republishAt: after(ms + 2_000), limit: 8 })
  expect(await expire(29_000)).toEqual({ batches: 0, expired: [] })
  const { batches, expired } = await expire(30_001)
  expect(batches).toBe(1)
  expect(expired.map((row) => row.operation_id).toSorted()).toEqual(open.map(idOf).toSorted())
  expect(await expire(40_000)).toEqual({ batches: 0, expired: [] })
  expect(await take(31_000)).toEqual([])
  expect(await take(32_100)).toHaveLength(3)
})

test('the watchdog says of batches without an open attempt too that more may wait', async () => {
  const answered = await claim(1)
  await claim(1)
  await recordOutcomes(db, answered.map(outcomeOf))
  const next = () => recordExpiries(db, { now: after(30_001), republishAt: after(31_000), limit: 1 })
  const looks = [await next(), await next(), await next()]
  expect(looks.map(({ batches }) => batches)).toEqual([1, 1, 0])
  expect(looks.flatMap(({ expired }) => expired)).toHaveLength(1)
})

test('an operation that was removed and is offered again waits in the outbox again, once', async () => {
  const items = await claim(2)
  const [one, other] = items.map(idOf) as [string, string]
  const forget = (...ids: string[]) => recordForgotten(db, ids, { batchId: randomUUID(), now: at })
  expect(await forget(one)).toEqual([])
  await removeConfirmed(db, [batchIdOf(items)])
  expect(await forget(one)).toEqual([one])
  expect((await forget(one, other)).toSorted()).toEqual([other])
  expect(await forget(randomUUID())).toEqual([])
  expect(await take(100)).toEqual([one, other].toSorted())
  // The attempt may still be open, so the watchdog and the fences must find the operation.
  const fence = { target: 'grant', target_id: String(items[0]?.operation.grant_id) } as const
  expect(await listOpenAttempts(db, fence)).toEqual([one])
})
