/** PostgreSQL's own counts show that a statement reads only the rows that it needs, however large the tables are. */

import { randomUUID } from 'node:crypto'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { toReading } from './reading.ts'
import { recordHandoffs, recordLateAnswer } from './store/handoff.ts'
import { recordConfirmation, takeUnconfirmed } from './store/outbox.ts'
import { lockDue, recordReadings } from './store/reads.ts'
import { listReviews } from './store/reviews.ts'
import { validate } from './validate.ts'
import { newHandoff } from './world.test-helper.ts'

const rounds = 8
const perRound = 8
// Many more than the entries of removed rows, which an index keeps as long as another test has a transaction open.
const others = 12_000

let tables: TestDatabase
beforeAll(async () => {
  tables = await createTestDatabase({ service: 'reconciler', migrations })
})
afterAll(() => tables.close())

/** One connection, so that every plan it keeps is made while the tables are young. */
const open = () => tables.open(1)

const found = { type: 'found', state: 'succeeded', read: 'r', observed: 'o', upstreamReference: 'u' } as const

/** Runs every statement more often than PostgreSQL waits before it keeps a plan. */
async function runEverything(database: Database): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const now = new Date()
    const ids = Array.from({ length: perRound }, () => randomUUID())
    await recordHandoffs(
      database,
      ids.map((operation_id) => newHandoff('indeterminate', { operation_id, target_reference: 'target' })),
      now,
    )
    const refusal = { outcome: 'failed', upstream_reference: null, resource: null, failure_code: null } as const
    await recordLateAnswer(
      database,
      { ...refusal, operation_id: ids[0] ?? '', observed_at: now.toISOString() },
      new Date(now.getTime() - 1_000),
    )
    const later = new Date(now.getTime() + 2_000)
    const locked = await lockDue(database, { now: later, lockedUntil: new Date(later.getTime() + 30_000), limit: 64 })
    expect(locked.map((row) => row.operation_id).toSorted()).toEqual(ids.toSorted())
    const readings = locked.map((row) =>
      toReading(row, validate(row, found, { tookMs: 0, deadlines: null }), later, () => 'digest'),
    )
    expect(await recordReadings(database, readings, { now: later, republishAt: later })).toHaveLength(perRound)
    const due = new Date(later.getTime() + 5_000)
    expect(await takeUnconfirmed(database, { now: due, republishAfterMs: 2_000, limit: 256 })).toHaveLength(perRound)
    const items = ids.map((operation_id) => ({ operation_id, sequence: 4 }))
    await recordConfirmation(database, { by: 'operations', items })
    await listReviews(database, { after: null, limit: 100 })
    await listReviews(database, { after: null, limit: 100, operation_ids: ids })
  }
}

const grow = [
  `INSERT INTO reconciliations (operation_id, kind, resource_id, owner_id, subject, client_id, grant_id, binding_id,
     traceparent, state, sequence, updated_at, shown, settled_at, review, review_reason)
   SELECT gen_random_uuid(), 'k', 'r', 'o', 's', 'c', 'g', 'b', 't', 'succeeded', 4, now(), true, now(), true, 'why'
   FROM generate_series(1, ${others})`,
  `INSERT INTO transitions (operation_id, sequence, body, confirmed, republish_at)
   SELECT operation_id, 4, '{}', true, now() FROM reconciliations WHERE kind = 'k'`,
  `INSERT INTO evidence SELECT operation_id, 1, 'r', 'x', now(), 'd', 4 FROM reconciliations WHERE kind = 'k'`,
  `INSERT INTO late_answers (operation_id, outcome, observed_at, received_at)
   SELECT operation_id, 'succeeded', now(), now() FROM reconciliations WHERE kind = 'k'`,
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
  for (const table of ['reconciliations', 'transitions', 'evidence', 'late_answers'])
    await old.rows(statement('', `ALTER TABLE ${table} ADD COLUMN later text`))
  // A statement that reads a whole table does so in each round, and exceeds this bound.
  const fair = (rounds * others) / 4
  expect(await readBy(old)).toBeLessThan(fair)
  for (const table of ['reconciliations', 'transitions', 'evidence', 'late_answers'])
    await old.rows(statement('', `ANALYZE ${table}`))
  const fresh = open()
  expect(await readBy(fresh)).toBeLessThan(fair)
  await Promise.all([old.close(), fresh.close()])
})
