/** The reads for services that notify clients: the present view, and the changes since a moment. */

import type { OperationStateView } from '@financial-agents/bus/messages/operation-states'
import { type OperationState, terminalStates } from '@financial-agents/contract/machine'
import type { Database, Queryable } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstance, newId, newRequest, openTestOperations, query } from '../operations.test-helper.ts'
import { changedUntil, findStateViews } from '../store/state-views.ts'
import { createChanged } from './changed.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database
let instance: ReturnType<typeof createInstance>

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
  instance = createInstance(db)
})
afterAll(() => tables.close())

/** Ends an operation in the two tables that a last move writes: its row and history. */
async function settle(on: Database, id: string, at: string) {
  await query(
    on,
    `UPDATE operations SET state = 'failed', sequence = 2, updated_at = $2, payload_sealed = NULL WHERE id = $1`,
    [id, at],
  )
  await query(
    on,
    `INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at)
    VALUES ($1, 2, 'accepted', 'fail_before_submission', 'failed', 'submitter', $2)`,
    [id, at],
  )
}

async function operate(state: OperationState, sequence: number, updatedAt: string) {
  const request = newRequest()
  await instance.accept(request)
  await query(
    db,
    `INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at)
    VALUES ($1, $2, 'accepted', 'claim', 'submitting', 'submitter', $3)`,
    [request.operation_id, sequence, updatedAt],
  )
  await query(
    db,
    `UPDATE operations SET state = $2, sequence = $3, updated_at = $4,
       payload_sealed = CASE WHEN $2 = 'accepted' THEN payload_sealed END WHERE id = $1`,
    [request.operation_id, state, sequence, updatedAt],
  )
  return request
}

test('states are those of the view, and what is not known is left out', async () => {
  const request = await operate('indeterminate', 3, '2026-02-01T00:00:00.000Z')
  const { owner_id, client_id } = request.principal
  const views = await findStateViews(db, [newId(), request.operation_id, 'no uuid'])
  expect(views).toEqual([
    {
      operation_id: request.operation_id,
      owner_id,
      client_id,
      kind: request.kind,
      state: 'indeterminate',
      submission_uncertain: true,
      sequence: 3,
      updated_at: '2026-02-01T00:00:00.000Z',
    } satisfies OperationStateView,
  ])
  expect(await findStateViews(db, [])).toEqual([])
})

test('changes are listed oldest first, settled or not, page by page, and none twice', async () => {
  const states = [...terminalStates, 'submitted', 'accepted', 'indeterminate'] as const
  const expected: string[] = []
  for (let n = 0; n < 24; n += 1) {
    // Several operations have the same time.
    const at = new Date(Date.UTC(2026, 2, 1, 0, Math.floor(n / 4))).toISOString()
    expected.push((await operate(states[n % states.length] as OperationState, 4, at)).operation_id)
  }
  await operate('succeeded', 4, '2026-02-28T23:59:59.999Z')
  const changed = createChanged(db, createClock())
  const seen: OperationStateView[] = []
  let after: { updated_at: string; operation_id: string } | null = null
  for (let page = 0; page < 20; page += 1) {
    const since = '2026-03-01T00:00:00.000Z'
    const views: OperationStateView[] = await changed({ since, after, limit: 5 })
    const here = views.filter(({ updated_at }) => updated_at < '2026-04')
    seen.push(...here)
    const last = here.at(-1)
    if (!last || here.length < 5) break
    after = { updated_at: last.updated_at, operation_id: last.operation_id }
  }
  expect(seen.map(({ operation_id }) => operation_id).toSorted()).toEqual(expected.toSorted())
  const order = seen.map(({ updated_at, operation_id }) => `${updated_at} ${operation_id}`)
  expect(order).toEqual(order.toSorted())
})

test('a page is no longer than a message carries', async () => {
  const limits: unknown[] = []
  const recording = {
    rows: async (_query: unknown, values: readonly unknown[] = []) => {
      limits.push(values[2])
      return []
    },
  }
  await createChanged(recording, createClock())({ since: new Date().toISOString(), after: null, limit: 10_000 })
  expect(limits).toEqual([500])
})

test('a long silence is passed in a few questions, and nothing in it is missed', async () => {
  const quiet = await openTestOperations()
  const own = quiet.open()
  const { accept } = createInstance(own)
  const [early, late] = [newRequest(), newRequest()]
  for (const [request, at] of [
    [early, '2026-04-01T00:00:00.000Z'],
    [late, '2026-05-20T12:00:00.000Z'],
  ] as const) {
    await accept(request)
    await settle(own, request.operation_id, at)
  }
  let questions = 0
  const counting: Queryable = {
    rows: (statement, values) => {
      questions += 1
      return own.rows(statement, values)
    },
  }
  const views = await createChanged(
    counting,
    createClock(),
  )({
    since: '2026-04-01T00:00:00.000Z',
    after: { updated_at: '2026-04-01T00:00:00.000Z', operation_id: early.operation_id },
    limit: 5,
  })
  expect(views.map(({ operation_id }) => operation_id)).toEqual([late.operation_id])
  expect(questions).toBeLessThan(12)
  await quiet.close()
})

test('settled operations are found by the time of their moves, in a part of history', async () => {
  await query(
    db,
    `INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at)
    SELECT gen_random_uuid(), 2, 'accepted', 'fail_before_submission', 'failed', 'submitter',
      timestamptz '2026-01-01' + i * interval '10 seconds' FROM generate_series(1, 40000) AS i`,
  )
  await query(db, 'VACUUM ANALYZE history')
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    db,
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${changedUntil.text}`,
    ['2026-01-03T00:00:00.000Z', newId(), 500, '2026-01-03T00:04:00.000Z'],
  )
  const plan = row?.['QUERY PLAN'][0].Plan
  expect(JSON.stringify(plan)).toContain('history_rest_at_idx')
  // Only the table of the batches in flight may be read as a whole.
  expect(JSON.stringify(plan)).not.toMatch(/Seq Scan(?!.{0,100}in_flight_batches)/)
  expect(Number(plan?.['Shared Hit Blocks']) + Number(plan?.['Shared Read Blocks'])).toBeLessThan(300)
})

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }
