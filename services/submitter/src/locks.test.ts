/** A statement that waits for a row's lock returns the row as it is once the statement has the lock. */

import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimMarked, newItem, outcomeOf } from './items.test-helper.ts'
import { slowToCommit, whileLocked } from './locks.test-helper.ts'
import { migrations } from './migrations.ts'
import type { ClaimItem } from './store/claims.ts'
import { listOpenAttempts, recordFence } from './store/fences.ts'
import { takeUnconfirmed } from './store/outbox.ts'
import { recordExpiries, recordOutcomes } from './store/outcomes.ts'
import type { SubmissionRow } from './submission.ts'
import { pause } from './world.test-helper.ts'

let tables: TestDatabase
let database: Database
beforeAll(async () => {
  tables = await createTestDatabase({ service: 'submitter', migrations })
  database = tables.open(6)
})
afterAll(() => tables.close())

const find = statement('test_row', 'SELECT * FROM submissions WHERE operation_id = $1')
const rowOf = async (id: string) => (await database.rows<SubmissionRow>(find, [id]))[0]

async function claimed(): Promise<{ item: ClaimItem; id: string }> {
  const item = newItem(new Date())
  await claimMarked(database, [item], 2_000)
  return { item, id: item.operation.operation_id }
}

test('an outcome that waited for the watchdog lost to it, and is kept as a late answer', async () => {
  const { item, id } = await claimed()
  const result = await whileLocked(
    database,
    (tx) =>
      recordExpiries({ ...database, ...tx }, { now: new Date(Date.now() + 60_000), republishAt: new Date(), limit: 9 }),
    () => recordOutcomes(database, [{ ...outcomeOf(item), event: 'provider_completed', state: 'succeeded' }]),
  )
  expect(result).toMatchObject({ recorded: [], late: [{ operationId: id }] })
  expect(await rowOf(id)).toMatchObject({ state: 'indeterminate', sequence: 3, outcome_event: 'lease_expired' })
  expect((await rowOf(id))?.late_answer).not.toBeNull()
})

test('the watchdog that waited for an outcome gives nothing up', async () => {
  const { item, id } = await claimed()
  const now = new Date(item.leaseUntil.getTime() + 1)
  const { expired } = await whileLocked(
    database,
    (tx) => recordOutcomes({ ...database, ...tx }, [outcomeOf(item)]),
    () => recordExpiries(database, { now, republishAt: now, limit: 256 }),
  )
  expect(expired.map((row) => row.operation_id)).not.toContain(id)
  expect(await rowOf(id)).toMatchObject({ outcome_event: 'outcome_unknown', sequence: 3 })
})

test.each([0, 1, 2, 3, 5, 8])(
  'the watchdog finds a lease that ran out after %i republications of its claim',
  async (times) => {
    const { item, id } = await claimed()
    for (let n = 0, ms = 2_000; n < times; n += 1, ms += 3_000)
      await takeUnconfirmed(database, {
        now: new Date(item.at.getTime() + ms),
        republishAfterMs: 2_000,
        limit: 256,
        settled: [],
      })
    const now = new Date(item.leaseUntil.getTime() + 1)
    const { expired } = await recordExpiries(database, { now, republishAt: now, limit: 256 })
    expect(expired.map((row) => row.operation_id)).toContain(id)
  },
)

test('the watchdog finds a lease that ends before its claim would have been published again', async () => {
  const item = newItem(new Date())
  await claimMarked(database, [item], 600_000)
  const now = new Date(item.leaseUntil.getTime() + 1)
  const { expired } = await recordExpiries(database, { now, republishAt: now, limit: 256 })
  expect(expired.map((row) => row.operation_id)).toContain(item.operation.operation_id)
})

test('what a fence does not name is never claimed after it, whatever claims were under way', async () => {
  // No other transaction sees a claim between its INSERT and its commit. A fence could miss the claim in this time.
  const slow = slowToCommit(database, 10)
  // The fence has connections of its own, as in another process. Its statements do not wait for the connections of
  // these claims.
  const elsewhere = tables.open(6)
  for (let round = 0; round < 10; round += 1) {
    const items = Array.from({ length: 30 }, () => newItem(new Date()))
    const target_id = `grant-${round}`
    for (const item of items) item.operation.grant_id = target_id
    const claims = items.map(async (item, index) => {
      await pause(index / 3)
      return claimMarked(slow, [item], 2_000)
    })
    await pause(5)
    const fence = { target: 'grant', target_id, version: 1, reason: 'test' } as const
    await recordFence(elsewhere, fence, new Date())
    const named = await listOpenAttempts(elsewhere, fence)
    const rows = (await Promise.all(claims)).flat()
    const submitting = rows.filter((row) => row.state === 'submitting').map((row) => row.operation_id)
    expect(submitting.toSorted()).toEqual(named)
    expect(rows).toHaveLength(items.length)
  }
  await elsewhere.close()
})
