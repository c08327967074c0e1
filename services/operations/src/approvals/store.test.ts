/**
 * The guarantees of the statements by themselves: one outcome, whichever caller writes it, and an index for each
 * statement.
 */

import type { Database } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstance, newRequest, openTestOperations, query } from '../operations.test-helper.ts'
import type { OpenApproval } from './item.ts'
import {
  findOperationRow,
  hastenApproval,
  recordApprovals,
  recordOutcomes,
  recordPostponed,
  recordStarted,
  takeApproval,
  takeDueApprovals,
} from './store.ts'
import { validate } from './validate.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
})
afterAll(() => tables.close())

const now = new Date('2026-11-20T12:00:00.000Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const pauses = { retryMs: 1_000, longestMs: 60_000 }
const evidence = { read: 'approval_by_reference', result: 'granted', observed_at: now.toISOString(), digest: 'digest' }

/** Operations in `requires_action` whose approvals are due at once. */
async function createOpen(count: number, over: Database = db): Promise<string[]> {
  const { accept } = createInstance(over, {
    approvals: {
      mayAsk: () => true,
      record: (tx, ids) => recordApprovals(tx, ids, { now, askAfter: now, nextCheckAt: now }),
      begin: async (operation) => operation,
    },
  })
  const requests = Array.from({ length: count }, () => newRequest({ kind: 'transfer' }))
  await Promise.all(requests.map((request) => accept(request)))
  return requests.map(({ operation_id }) => operation_id).toSorted()
}

const turn = { now, until: after(8_000) }

async function take(over: Database, id: string): Promise<OpenApproval> {
  const item = await takeApproval(over, id, turn)
  if (!item) throw new Error('it was not open')
  return item
}

function outcomeOf(item: OpenApproval, type: 'granted' | 'declined') {
  const result = validate(item, { type }, { asked: now, now }, pauses)
  if (result.type !== 'outcome') throw new Error('no outcome')
  return { item, result, to: type === 'granted' ? 'accepted' : 'cancelled', by: 'poll', evidence } as const
}

const action = {
  kind: 'grant_approval',
  url: 'https://provider.example/page',
  expires_at: null,
  poll_after_ms: 2_000,
} as const

function startedOf(item: OpenApproval) {
  const expires_at = after(600_000).toISOString()
  const result = {
    type: 'started',
    approval: 'approval',
    action: { ...action, expires_at },
    nextCheckAt: after(2_000),
  } as const
  return { item, result }
}

test('of contradicting outcomes written at once, in many batches, one each is written, with one line of history', async () => {
  const ids = await createOpen(60)
  const items = await Promise.all(ids.map((id) => take(db, id)))
  const stamp = { now, publishAfter: after(5_000) }
  const moved = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      recordOutcomes(
        db,
        items.map((item) => outcomeOf(item, index % 2 === 0 ? 'granted' : 'declined')),
        stamp,
      ),
    ),
  )
  expect(
    moved
      .flat()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(ids)
  const [counts] = await query(
    db,
    `SELECT count(*)::int AS moves, count(*) FILTER (WHERE (o.state = 'accepted') = (o.accepted_at IS NOT NULL AND
      o.payload_sealed IS NOT NULL) AND o.state = h.to_state)::int AS right
    FROM operations o JOIN history h ON h.operation_id = o.id AND h.sequence = 2 WHERE o.id = ANY ($1::uuid[])`,
    [ids],
  )
  expect(counts).toEqual({ moves: 60, right: 60 })
  expect(await recordStarted(db, items.map(startedOf), now)).toEqual([])
  expect(await takeApproval(db, String(ids[0]), { ...turn, now: after(60_000) })).toBeUndefined()
})

test('an approval is prepared once: a second page is never shown', async () => {
  const [id = ''] = await createOpen(1)
  const item = await take(db, id)
  const shown = await Promise.all([1, 2, 3].map(() => recordStarted(db, [startedOf(item)], now)))
  expect(shown.flat()).toMatchObject([{ id, action_required: { url: action.url } }])
})

test('a late answer about the preparation shifts no poll: it was given for a state that is over', async () => {
  const [id = ''] = await createOpen(1)
  const item = await take(db, id)
  await recordStarted(db, [startedOf(item)], now)
  const timesOf = () => query(db, 'SELECT next_check_at, failures FROM approvals WHERE operation_id = $1', [id])
  const polled = await timesOf()
  expect(polled).toEqual([{ next_check_at: after(2_000), failures: 0 }])
  await recordPostponed(db, [{ item, result: { type: 'later', nextCheckAt: after(60_000), failures: 7 } }])
  expect(await timesOf()).toEqual(polled)
})

test('a late answer makes nobody ask again about an approval that has ended', async () => {
  const [id = ''] = await createOpen(1)
  const item = await take(db, id)
  await recordOutcomes(db, [outcomeOf(item, 'declined')], { now, publishAfter: now })
  await recordPostponed(db, [{ item, result: { type: 'later', nextCheckAt: now, failures: 1 } }])
  expect(await takeApproval(db, id, { ...turn, now: after(60_000) })).toBeUndefined()
})

test('updated_at never goes back, whatever the clocks of the replicas say', async () => {
  const timesOf = (id: string) =>
    query<{ approval: Date; operation: Date }>(
      db,
      `SELECT a.updated_at AS approval, o.updated_at AS operation FROM approvals a JOIN operations o ON o.id = a.operation_id
      WHERE o.id = $1`,
      [id],
    )
  const [id = ''] = await createOpen(1)
  const ahead = after(3_600_000)
  await query(db, 'UPDATE approvals SET updated_at = $2 WHERE operation_id = $1', [id, ahead])
  await query(db, 'UPDATE operations SET updated_at = $2 WHERE id = $1', [id, ahead])
  const item = await take(db, id)
  expect(await timesOf(id)).toEqual([{ approval: ahead, operation: ahead }])
  await takeDueApprovals(db, 100, { ...turn, now: after(8_000) })
  await recordStarted(db, [startedOf(item)], now)
  expect(await timesOf(id)).toEqual([{ approval: ahead, operation: ahead }])
  await recordOutcomes(db, [outcomeOf(item, 'declined')], { now, publishAfter: now })
  expect(await timesOf(id)).toEqual([{ approval: ahead, operation: ahead }])
})

test('two who take what is due take different ones, and nobody takes it again before its time', async () => {
  const ids = await createOpen(40)
  const [one, two] = await Promise.all([takeDueApprovals(db, 20, turn), takeDueApprovals(db, 20, turn)])
  expect([...one, ...two].map((item) => item.operation_id).toSorted()).toEqual(ids)
  expect(await takeDueApprovals(db, 20, turn)).toEqual([])
  const again = await takeDueApprovals(db, 100, { ...turn, now: after(8_000) })
  expect(again.map((item) => item.operation_id)).toEqual(expect.arrayContaining(ids))
  await Promise.all(
    ids.map((id) =>
      recordOutcomes(db, [outcomeOf({ ...one[0], operation_id: id } as OpenApproval, 'declined')], {
        now,
        publishAfter: now,
      }),
    ),
  )
})

/** Runs every statement more often than PostgreSQL waits before it keeps a plan. */
async function runEverything(): Promise<void> {
  const own = tables.open()
  for (let round = 0; round < 8; round += 1) {
    const ids = await createOpen(20, own)
    const items = await Promise.all(ids.slice(0, 15).map((id) => take(own, id)))
    await takeDueApprovals(own, 5, turn)
    await hastenApproval(own, String(ids[0]), now)
    await recordStarted(own, items.map(startedOf), now)
    const result = { type: 'later', nextCheckAt: after(1_000), failures: 1 } as const
    await recordPostponed(
      own,
      items.map((item) => ({ item, result })),
    )
    await recordOutcomes(
      own,
      items.map((item) => outcomeOf(item, 'granted')),
      { now, publishAfter: now },
    )
    await findOperationRow(own, String(ids[0]))
  }
  await own.close()
}

/** A connection reports its counts when it closes, so the other connections must be closed first. */
async function countsSoFar() {
  const own = tables.open()
  const others = () =>
    query(own, 'SELECT 1 FROM pg_stat_activity WHERE usename = current_user AND pid <> pg_backend_pid()')
  await expect.poll(others).toEqual([])
  const [counts] = await query<{ read_sequentially: number; index_scans: number }>(
    own,
    `SELECT sum(seq_tup_read)::bigint AS read_sequentially, sum(idx_scan)::bigint AS index_scans
    FROM pg_stat_user_tables WHERE schemaname = $1 AND relname IN ('approvals', 'operations', 'history')`,
    [tables.schema],
  )
  await own.close()
  if (!counts) throw new Error('PostgreSQL counts nothing')
  return counts
}

test('no statement reads a whole table: not on tables that outgrew their statistics, nor on those with good ones', async () => {
  await runEverything()
  await createOpen(5_000)
  await db.close()
  const before = await countsSoFar()
  await runEverything()
  const own = tables.open()
  for (const table of ['approvals', 'operations', 'history']) await query(own, `ANALYZE ${table}`)
  await own.close()
  await runEverything()
  const counted = await countsSoFar()
  expect(counted.index_scans - before.index_scans).toBeGreaterThan(500)
  expect(counted.read_sequentially - before.read_sequentially).toBe(0)
})
