/** A statement that waits for a row's lock returns the row as it is once the statement has the lock. */

import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newItem, outcomeOf } from './items.test-helper.ts'
import { slowToCommit, whileLocked } from './locks.test-helper.ts'
import { migrations } from './migrations.ts'
import { type ClaimItem, recordClaims } from './store/claims.ts'
import { listOpenAttempts, recordFence } from './store/fences.ts'
import { recordConfirmation, takeUnconfirmed } from './store/outbox.ts'
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
const run = (tx: Queryable, text: string, values: unknown[]) => tx.rows(statement('', text), values)

async function claimed(): Promise<{ item: ClaimItem; id: string }> {
  const item = newItem(new Date())
  await recordClaims(database, [item], 2_000)
  return { item, id: item.operation.operation_id }
}

test('an outcome that waited for a confirmation of its claim is recorded, over what was confirmed', async () => {
  const { item, id } = await claimed()
  const result = await whileLocked(
    database,
    (tx) =>
      run(tx, 'UPDATE submissions SET publications = 3, operations_confirmed_sequence = 2 WHERE operation_id = $1', [
        id,
      ]),
    () => recordOutcomes(database, [outcomeOf(item)]),
  )
  expect(result).toMatchObject({ recorded: [{ operation_id: id, state: 'indeterminate', sequence: 3 }], late: [] })
  expect(await rowOf(id)).toMatchObject({ operations_confirmed_sequence: 2, publications: 0, sequence: 3 })
})

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

test('a confirmation of the claim that waited for the outcome confirms nothing of the outcome', async () => {
  const { item, id } = await claimed()
  await takeUnconfirmed(database, { now: new Date(Date.now() + 5_000), republishAfterMs: 2_000, limit: 256 })
  await whileLocked(
    database,
    (tx) => recordOutcomes({ ...database, ...tx }, [outcomeOf(item)]),
    () => recordConfirmation(database, { by: 'operations', items: [{ operation_id: id, sequence: 2 }] }),
  )
  expect(await rowOf(id)).toMatchObject({ operations_confirmed_sequence: 0, sequence: 3 })
})

test('an outcome whose claim was confirmed, and whose own event was lost, is published again', async () => {
  const { item, id } = await claimed()
  const at = (ms: number) => ({ now: new Date(item.at.getTime() + ms), republishAfterMs: 2_000, limit: 256 })
  const taken = async (ms: number) => (await takeUnconfirmed(database, at(ms))).some((row) => row.operation_id === id)
  expect([await taken(1_900), await taken(2_100)]).toEqual([false, true])
  await recordConfirmation(database, { by: 'operations', items: [{ operation_id: id, sequence: 2 }] })
  expect(await taken(25_000)).toBe(false)
  await recordOutcomes(database, [outcomeOf(item)])
  expect(await taken(25_100)).toBe(true)
  await recordConfirmation(database, { by: 'operations', items: [{ operation_id: id, sequence: 3 }] })
  // The hand-over is still owed to the reconciler.
  expect(await taken(60_000)).toBe(true)
  await recordConfirmation(database, { by: 'reconciler', items: [{ operation_id: id, sequence: 3 }] })
  expect(await taken(600_000)).toBe(false)
})

test.each([0, 1, 2, 3, 5, 8])(
  'the watchdog finds a lease that ran out after %i republications of its claim',
  async (times) => {
    const { item, id } = await claimed()
    for (let n = 0, ms = 2_000; n < times; n += 1, ms += 3_000)
      await takeUnconfirmed(database, { now: new Date(item.at.getTime() + ms), republishAfterMs: 2_000, limit: 256 })
    if (times % 2 === 1)
      await recordConfirmation(database, { by: 'operations', items: [{ operation_id: id, sequence: 2 }] })
    const now = new Date(item.leaseUntil.getTime() + 1)
    const expired = await recordExpiries(database, { now, republishAt: now, limit: 256 })
    expect(expired.map((row) => row.operation_id)).toContain(id)
  },
)

test('the watchdog finds a lease that ends before its claim would have been published again', async () => {
  const item = newItem(new Date())
  await recordClaims(database, [item], 600_000)
  const now = new Date(item.leaseUntil.getTime() + 1)
  const expired = await recordExpiries(database, { now, republishAt: now, limit: 256 })
  expect(expired.map((row) => row.operation_id)).toContain(item.operation.operation_id)
})

test('what a fence does not name is never claimed after it, whatever claims were under way', async () => {
  // Between its INSERT and its commit a claim is seen by nobody: that is where a fence would miss it.
  const slow = slowToCommit(database, 10)
  // As another process does it, whose statements wait for none of these claims' connections.
  const elsewhere = tables.open(6)
  for (let round = 0; round < 10; round += 1) {
    const items = Array.from({ length: 30 }, () => newItem(new Date()))
    const target_id = `grant-${round}`
    for (const item of items) item.operation.grant_id = target_id
    const claims = items.map(async (item, index) => {
      await pause(index / 3)
      return recordClaims(slow, [item], 2_000)
    })
    await pause(5)
    const fence = { target: 'grant', target_id, reason: 'test' } as const
    await recordFence(elsewhere, fence, new Date())
    const named = await listOpenAttempts(elsewhere, fence)
    const rows = (await Promise.all(claims)).flat()
    const submitting = rows.filter((row) => row.state === 'submitting').map((row) => row.operation_id)
    expect(submitting.toSorted()).toEqual(named)
    expect(rows).toHaveLength(items.length)
  }
  await elsewhere.close()
})
