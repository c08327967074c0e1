/** A read counts only for the process that still holds the row, and for the sequence that the process read. */

import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { migrations } from '../migrations.ts'
import { toReading } from '../reading.ts'
import type { Reconciliation } from '../reconciliation.ts'
import { validate } from '../validate.ts'
import { newHandoff } from '../world.test-helper.ts'
import { recordHandoffs, recordLateAnswer } from './handoff.ts'
import { recordConfirmation, takeUnconfirmed } from './outbox.ts'
import { lockDue, recordReadings } from './reads.ts'

let tables: TestDatabase
let db: Database

beforeAll(async () => {
  tables = await createTestDatabase({ service: 'reconciler', migrations })
  db = tables.open()
})
// Parks the operations that a test left open, so that the next test does not lock them.
afterEach(() => db.rows(statement('', `UPDATE reconciliations SET next_read_at = 'infinity' WHERE settled_at IS NULL`)))
afterAll(() => tables.close())

const start = new Date('2026-11-20T10:00:00.000Z')
const after = (ms: number) => new Date(start.getTime() + ms)
const leaseMs = 10_000

async function handOff(): Promise<string> {
  const handoff = newHandoff('indeterminate', { at: start.toISOString() })
  await recordHandoffs(db, [handoff], start)
  return handoff.operation_id
}

async function lock(atMs: number): Promise<Reconciliation[]> {
  return lockDue(db, { now: after(atMs), lockedUntil: after(atMs + leaseMs), limit: 10 })
}

const found = { type: 'found', state: 'succeeded', upstreamReference: 'provider-7' } as const

function settle(row: Reconciliation, atMs: number) {
  const decision = validate(
    row,
    { read: 'beneficiary_by_reference', observed: 'observed', ...found },
    { tookMs: 0, deadlines: null },
  )
  const reading = toReading(row, decision, after(atMs), () => 'digest')
  return recordReadings(db, [reading], { now: after(atMs), republishAt: after(atMs) })
}

async function stateOf(id: string) {
  const [row] = await db.rows(
    statement('', 'SELECT state, sequence, reads FROM reconciliations WHERE operation_id = $1'),
    [id],
  )
  return row
}

async function written(table: 'evidence' | 'transitions', id: string): Promise<number> {
  return (await db.rows(statement('', `SELECT 1 FROM ${table} WHERE operation_id = $1`), [id])).length
}

test('a read counts only for the token on the row: one whose lock another process has taken over settles nothing', async () => {
  const id = await handOff()
  const [slow] = await lock(1_000)
  const [taken] = await lock(1_000 + leaseMs)
  expect(taken?.operation_id).toBe(id)
  expect(await settle(slow as Reconciliation, 12_000)).toEqual([])
  expect(await stateOf(id)).toEqual({ state: 'indeterminate', sequence: 3, reads: 0 })
  expect([await written('evidence', id), await written('transitions', id)]).toEqual([0, 0])
  expect(await settle(taken as Reconciliation, 12_000)).toMatchObject([{ operation_id: id, sequence: 4 }])
})

test('a read counts once: its token is gone with it', async () => {
  const id = await handOff()
  const [row] = await lock(1_000)
  await settle(row as Reconciliation, 2_000)
  expect(await settle(row as Reconciliation, 3_000)).toEqual([])
  expect(await stateOf(id)).toEqual({ state: 'succeeded', sequence: 4, reads: 1 })
  expect(await written('evidence', id)).toBe(1)
})

test('a read counts only for the sequence that it read', async () => {
  const id = await handOff()
  const [row] = await lock(1_000)
  expect(await settle({ ...(row as Reconciliation), sequence: 2 }, 2_000)).toEqual([])
  expect(await stateOf(id)).toEqual({ state: 'indeterminate', sequence: 3, reads: 0 })
})

test('a row is locked for one process until its time, and no row that is settled is locked again', async () => {
  await handOff()
  const [first] = await lock(1_000)
  expect(await lock(1_000 + leaseMs - 1)).toEqual([])
  const [second] = await lock(1_000 + leaseMs)
  expect(second?.lock_token).not.toBe(first?.lock_token)
  await settle(second as Reconciliation, 12_000)
  expect(await lock(3_600_000)).toEqual([])
})

test('a late answer that came during a read is read for at once afterwards; that of another operation is not', async () => {
  const [woken, other] = [await handOff(), await handOff()]
  const answer = {
    outcome: 'failed',
    upstream_reference: null,
    resource: null,
    failure_code: 'provider_refused',
  } as const
  const observed_at = start.toISOString()
  await recordLateAnswer(db, { ...answer, operation_id: other, observed_at }, after(500))
  // Wakes the row as for a late answer that is not stored yet, so that this read cannot know it.
  await db.rows(statement('', 'UPDATE reconciliations SET woken = true WHERE operation_id = $1'), [woken])
  await lock(1_000)
  const wokenOf = async (id: string) =>
    (await db.rows(statement('', 'SELECT woken FROM reconciliations WHERE operation_id = $1'), [id]))[0]
  expect([await wokenOf(woken), await wokenOf(other)]).toEqual([{ woken: true }, { woken: false }])
})

test('of several transitions the due ones are published again, and those that are named are confirmed', async () => {
  const [first, second] = [await handOff(), await handOff()]
  for (const row of await lock(1_000)) await settle(row, row.operation_id === first ? 2_000 : 60_000)
  const take = async (ms: number) => {
    const taken = await takeUnconfirmed(db, { now: after(ms), republishAfterMs: 1_000, limit: 100 })
    return taken.map(({ operation_id }) => operation_id).filter((id) => id === first || id === second)
  }
  expect(await take(3_000)).toEqual([first])
  const named = [{ operation_id: first, sequence: 4 }]
  await recordConfirmation(db, { by: 'operations', items: named })
  expect(await take(3_600_000)).toEqual([second])
})
