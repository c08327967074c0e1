/** Fences that can be lifted: the newest request counts, in any order of arrival and during any claims. */

import { randomUUID } from 'node:crypto'
import type { UnfenceRequest } from '@financial-agents/bus/messages/authority'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimMarked, newItem } from '../items.test-helper.ts'
import { slowToCommit, whileLocked, within } from '../locks.test-helper.ts'
import { migrations } from '../migrations.ts'
import { pause } from '../world.test-helper.ts'
import { listOpenAttempts, recordFence, recordUnfence } from './fences.ts'

let tables: TestDatabase
let database: Database
let elsewhere: Database
beforeAll(async () => {
  tables = await createTestDatabase({ service: 'submitter', migrations })
  database = tables.open(8)
  elsewhere = tables.open(8)
})
afterAll(() => tables.close())

/** `+3` sets the fence with version 3, and `-3` lifts it with version 3. */
type Step = `${'+' | '-'}${number}`

function request(step: Step, target_id: string, on: Database = database): Promise<boolean> {
  const fence: UnfenceRequest = { target: 'mandate', target_id, version: Number(step.slice(1)) }
  return step.startsWith('+') ? recordFence(on, { ...fence, reason: 'test' }, new Date()) : recordUnfence(on, fence)
}

const find = statement('test_fence', "SELECT 1 FROM fences WHERE target = 'mandate' AND target_id = $1")
const isFenced = async (id: string) => (await database.rows(find, [id])).length === 1

async function claim(mandate_id: string): Promise<string | undefined> {
  const item = newItem(new Date())
  const operation = { ...item.operation, kind: 'mandate_transfer', mandate_id }
  const [row] = await claimMarked(database, [{ ...item, operation }], 2_000)
  return row?.state
}

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

test.each<[Step[], boolean]>([
  [['+1', '-2', '+3', '-4'], false],
  [['+1', '-2', '+3'], true],
  [['+1', '-2', '+7', '+9'], true],
])('%j end as the newest says, in every order and with repeats', async (steps, fenced) => {
  for (const order of permutations(steps)) {
    const id = randomUUID()
    for (const step of [...order, ...order]) await request(step, id)
    expect([order, await isFenced(id)]).toEqual([order, fenced])
  }
})

test('requests that arrive at once at two replicas end as the newest says', async () => {
  for (let round = 0; round < 30; round += 1) {
    const id = randomUUID()
    const newest = round % 2 === 0 ? '+6' : '-6'
    const steps = (['+1', '-2', '+3', '-4', '+5', newest, '+1', newest] as Step[]).toSorted(() => Math.random() - 0.5)
    await Promise.all(steps.map((step, index) => request(step, id, index % 2 === 0 ? database : elsewhere)))
    expect([steps, await isFenced(id)]).toEqual([steps, newest === '+6'])
  }
})

test('a lifting that waited for a newer fence to commit lifts nothing', async () => {
  const id = randomUUID()
  await request('+1', id)
  await whileLocked(
    database,
    (tx) => request('+3', id, within(database, tx)),
    () => request('-2', id),
  )
  expect(await isFenced(id)).toBe(true)
})

test('a lifting that waited for the fence it lifts sees that fence', async () => {
  const id = randomUUID()
  await whileLocked(
    database,
    (tx) => request('+1', id, within(database, tx)),
    () => request('-2', id),
  )
  expect(await isFenced(id)).toBe(false)
})

test('a fence that waited for an older lifting to commit is set', async () => {
  const id = randomUUID()
  await request('+1', id)
  await whileLocked(
    database,
    (tx) => request('-2', id, within(database, tx)),
    () => request('+3', id),
  )
  expect(await isFenced(id)).toBe(true)
})

test('a fence that waited for a newer lifting to commit is not set', async () => {
  const id = randomUUID()
  await whileLocked(
    database,
    (tx) => request('-3', id, within(database, tx)),
    () => request('+2', id),
  )
  expect(await isFenced(id)).toBe(false)
})

test('what a mandate’s fence stops follows the newest request: an older fence stops nothing, an older lifting lets nothing through', async () => {
  const id = randomUUID()
  await request('-2', id)
  await request('+1', id)
  expect(await claim(id)).toBe('submitting')
  await request('+4', id)
  await request('-3', id)
  expect(await claim(id)).toBe('cancelled')
})

test('a fence that changes nothing still names the open attempts', async () => {
  const item = newItem(new Date())
  const target_id = String(item.operation.mandate_id)
  await claimMarked(database, [item], 2_000)
  await request('-2', target_id)
  await request('+1', target_id)
  expect(await listOpenAttempts(database, { target: 'mandate', target_id })).toEqual([item.operation.operation_id])
})

test('a claim that waited for a fence to commit is stopped by it', async () => {
  const target_id = randomUUID()
  const fence = { target: 'mandate', target_id, version: 1, reason: 'test' } as const
  const state = await whileLocked(
    database,
    (tx) => recordFence(within(database, tx), fence, new Date()),
    () => claim(target_id),
  )
  expect(state).toBe('cancelled')
})

test('a fence waits for a claim whose packet has not ended, and names its attempt', async () => {
  const target_id = randomUUID()
  // The claim holds the shared lock, and waits for a key that another transaction has taken.
  const item = newItem(new Date())
  const operation = { ...item.operation, kind: 'mandate_transfer', mandate_id: target_id }
  let claimed: Promise<unknown> | undefined
  let fenced: Promise<boolean> | undefined
  const waiting = statement(
    'test_waiting',
    "SELECT 1 FROM pg_stat_activity WHERE usename = current_user AND wait_event_type = 'Lock'",
  )
  await database.transaction(async (tx) => {
    await claimMarked(within(database, tx), [{ ...item, operation: { ...operation, mandate_id: randomUUID() } }], 2_000)
    claimed = claimMarked(
      database,
      [
        { ...newItem(new Date()), operation: { ...operation, operation_id: randomUUID() } },
        { ...item, operation },
      ],
      2_000,
    )
    await expect.poll(() => database.rows(waiting)).toHaveLength(1)
    fenced = recordFence(database, { target: 'mandate', target_id, version: 1, reason: 'test' }, new Date())
    await expect.poll(() => database.rows(waiting)).toHaveLength(2)
  })
  const rows = await claimed
  await fenced
  expect(rows).toMatchObject([{ state: 'submitting' }])
  expect(await listOpenAttempts(database, { target: 'mandate', target_id })).toHaveLength(1)
})

test('while a fence is lifted and set again, no claim commits after a fence was reported that does not name it', async () => {
  // No other transaction sees a claim between its INSERT and its commit. A fence could miss the claim in this time.
  const slow = slowToCommit(database, 8)
  for (let round = 0; round < 6; round += 1) {
    const target_id = randomUUID()
    const items = Array.from({ length: 24 }, () => {
      const item = newItem(new Date())
      return { ...item, operation: { ...item.operation, mandate_id: target_id } }
    })
    const claims = items.map(async (item, index) => {
      await pause(index)
      return claimMarked(slow, [item], 2_000)
    })
    await request('+1', target_id, elsewhere)
    await request('-2', target_id, elsewhere)
    await pause(6)
    await request('+3', target_id, elsewhere)
    const named = await listOpenAttempts(elsewhere, { target: 'mandate', target_id })
    await Promise.all([request('-2', target_id, elsewhere), request('+1', target_id, elsewhere)])
    const rows = (await Promise.all(claims)).flat()
    const submitting = rows.filter((row) => row.state === 'submitting').map((row) => row.operation_id)
    expect(submitting.toSorted()).toEqual(named)
    expect(rows).toHaveLength(items.length)
  }
})
