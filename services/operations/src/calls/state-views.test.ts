/** The reads for services that notify clients: the present view, and the changes since a moment. */

import type { OperationStateView } from '@financial-agents/bus/messages/operation-states'
import { type OperationState, terminalStates } from '@financial-agents/operation-machine/machine'
import { type Database, statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInstance, newId, newRequest, openTestOperations, query } from '../operations.test-helper.ts'
import { findStateViews } from '../store/state-views.ts'
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

async function operate(state: OperationState, sequence: number, updatedAt: string) {
  const request = newRequest()
  await instance.accept(request)
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
  const changed = createChanged(db)
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
  await createChanged(recording)({ since: '2026-01-01T00:00:00.000Z', after: null, limit: 10_000 })
  expect(limits).toEqual([500])
})

test('settled operations are found by when they settled', async () => {
  await Promise.all(Array.from({ length: 2_000 }, () => instance.accept(newRequest())))
  await query(db, `UPDATE operations SET state = 'failed', payload_sealed = NULL WHERE state = 'accepted'`)
  await query(db, 'VACUUM ANALYZE operations')
  const rows = await db.rows<{ 'QUERY PLAN': string }>(
    statement(
      'explain_settled',
      `EXPLAIN SELECT id FROM operations WHERE settled_at IS NOT NULL AND (settled_at, id) > ($1::timestamptz, $2::uuid)
       ORDER BY settled_at, id LIMIT 500`,
    ),
    ['2026-03-01T00:00:00.000Z', newId()],
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('using operations_settled')
  expect(plan).not.toMatch(/Seq Scan|Sort/)
})
