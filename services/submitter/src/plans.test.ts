/** PostgreSQL's own counts show that a statement reads only the rows that it needs, however large the tables are. */

import { randomUUID } from 'node:crypto'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimMarked, newItem, outcomeOf } from './items.test-helper.ts'
import { migrations } from './migrations.ts'
import { batchIdOf } from './store/claims.ts'
import { listOpenAttempts, recordFence, recordUnfence } from './store/fences.ts'
import {
  listLateAnswers,
  recordForgotten,
  recordLateDelivered,
  removeConfirmed,
  takeUnconfirmed,
} from './store/outbox.ts'
import { recordExpiries, recordOutcomes } from './store/outcomes.ts'

const rounds = 8
const perRound = 8
const others = 4_000

let tables: TestDatabase
beforeAll(async () => {
  tables = await createTestDatabase({ service: 'submitter', migrations })
})
afterAll(() => tables.close())

/** One connection, so that every plan it keeps is made while the tables are young. */
const open = () => tables.open(1)

/** Runs every statement more often than PostgreSQL waits before it keeps a plan. */
async function runEverything(database: Database): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const at = new Date()
    const items = Array.from({ length: perRound }, () => newItem(at))
    expect(await claimMarked(database, items, 2_000)).toHaveLength(perRound)
    const fence = {
      target: 'grant',
      target_id: String(items[0]?.operation.grant_id),
      version: 1,
      reason: 'test',
    } as const
    await recordFence(database, fence, at)
    expect(await listOpenAttempts(database, fence)).toHaveLength(1)
    const liftable = { ...fence, target: 'mandate', target_id: String(items[1]?.operation.mandate_id) } as const
    for (const version of [1, 2]) {
      await recordFence(database, { ...liftable, version }, at)
      await recordUnfence(database, { ...liftable, version })
    }
    const now = new Date(at.getTime() + 3_000)
    const settled = items.map(({ operation }) => ({ batchId: randomUUID(), operationId: operation.operation_id }))
    await takeUnconfirmed(database, { now, republishAfterMs: 2_000, limit: 256, settled })
    const [given, ...answered] = items
    expect((await recordOutcomes(database, answered.map(outcomeOf))).recorded).toHaveLength(perRound - 1)
    const later = new Date(at.getTime() + 40_000)
    expect(await recordExpiries(database, { now: later, republishAt: later, limit: 256 })).toMatchObject({
      expired: [{}],
    })
    if (given)
      expect(
        (await recordOutcomes(database, [{ ...outcomeOf(given), event: 'provider_refused', state: 'failed' }])).late,
      ).toHaveLength(1)
    for (const row of await listLateAnswers(database, 100)) await recordLateDelivered(database, row.operation_id)
    await removeConfirmed(database, [batchIdOf(items)])
    const ids = items.map(({ operation }) => operation.operation_id)
    const batchId = randomUUID()
    expect(await recordForgotten(database, ids, { batchId, now: later })).toHaveLength(perRound)
    expect(await recordForgotten(database, ids, { batchId: randomUUID(), now: later })).toEqual([])
    await removeConfirmed(database, [batchId])
  }
}

const grow = [
  `INSERT INTO submissions (operation_id, attempt_id, kind, resource_id, owner_id, subject, client_id, grant_id,
     binding_id, traceparent, state, base_sequence, sequence, claimed_at, lease_until, outcome_event, outcome_at)
   SELECT gen_random_uuid(), gen_random_uuid(), 'k', 'r', 'o', 's', 'c', 'g', 'b', 't', 'succeeded', 1, 3, now(),
     now(), 'provider_completed', now() FROM generate_series(1, ${others})`,
  `INSERT INTO fence_versions SELECT target, gen_random_uuid()::text, 1
   FROM generate_series(1, ${others}), unnest('{grant,client,binding,mandate}'::text[]) AS target`,
  `INSERT INTO fences SELECT target, gen_random_uuid()::text, 'revoked', now()
   FROM generate_series(1, ${others}), unnest('{grant,client,binding,mandate}'::text[]) AS target`,
]

const flush = statement('test_flush', 'SELECT pg_stat_force_next_flush()')
const count = statement(
  'test_count',
  `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = $1)::bigint
     + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = $1)::bigint AS read`,
)

/** Runs every statement once more. Returns the number of index entries and rows that were read. */
async function readBy(database: Database): Promise<number> {
  const readSoFar = async () => {
    await database.rows(flush)
    const [counts] = await database.rows<{ read: number }>(count, [tables.schema])
    return Number(counts?.read)
  }
  const before = await readSoFar()
  await runEverything(database)
  return (await readSoFar()) - before
}

test('no statement reads what it is not about: not with plans kept from when the tables were young, nor with new ones', async () => {
  const old = open()
  await runEverything(old)
  for (const text of grow) await old.rows(statement('', text))
  // A later release adds columns while this one runs.
  for (const table of ['submissions', 'outbox', 'fences', 'fence_versions'])
    await old.rows(statement('', `ALTER TABLE ${table} ADD COLUMN later text`))
  // A statement that reads a whole table does so in each round, and exceeds this bound.
  const fair = (rounds * others) / 4
  expect(await readBy(old)).toBeLessThan(fair)
  for (const table of ['submissions', 'fences', 'fence_versions']) await old.rows(statement('', `ANALYZE ${table}`))
  const fresh = open()
  expect(await readBy(fresh)).toBeLessThan(fair)
  await Promise.all([old.close(), fresh.close()])
})
