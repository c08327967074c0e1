import { type OperationState, operationStates, terminalStates } from '@financial-agents/contract/machine'
import { type Database, type Queryable, statement } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../fold.ts'
import {
  createInstance,
  moveOf,
  newId,
  newPrincipal,
  newRequest,
  openTestOperations,
  query,
} from '../operations.test-helper.ts'
import { findUnsettledBindings, unsettledBindings } from './operations.ts'
import { findStandings, moveViewsTo } from './projection.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database
let instance: ReturnType<typeof createInstance>

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
  instance = createInstance(db)
})
afterAll(() => tables.close())

async function operate(binding_id: string, state: OperationState): Promise<string> {
  const request = newRequest({ principal: { ...newPrincipal(), binding_id } })
  await instance.accept(request)
  await query(db, 'UPDATE operations SET state = $2, payload_sealed = NULL WHERE id = $1', [
    request.operation_id,
    state,
  ])
  return request.operation_id
}

test('a binding is unsettled in every state but the three that never change', async () => {
  const bindings = new Map<string, OperationState>()
  for (const state of operationStates) {
    const binding = newId()
    bindings.set(binding, state)
    await operate(binding, state)
  }
  const expected = [...bindings.keys()].filter((id) => !terminalStates.some((state) => state === bindings.get(id)))
  expect((await findUnsettledBindings(db, [...bindings.keys(), newId()])).toSorted()).toEqual(expected.toSorted())
  expect(await findUnsettledBindings(db, [])).toEqual([])
})

test('one operation without an outcome keeps a binding unsettled, whatever became of the others', async () => {
  const binding = newId()
  const last = await operate(binding, 'indeterminate')
  for (const state of terminalStates) await operate(binding, state)
  expect(await findUnsettledBindings(db, [binding])).toEqual([binding])
  await query(db, `UPDATE operations SET state = 'failed' WHERE id = $1`, [last])
  expect(await findUnsettledBindings(db, [binding])).toEqual([])
})

test('it reads what is in flight, not what is stored', async () => {
  const binding = newId()
  const principal = { ...newPrincipal(), binding_id: binding }
  await Promise.all(Array.from({ length: 3_000 }, () => instance.accept(newRequest({ principal }))))
  await query(db, `UPDATE operations SET state = 'succeeded', payload_sealed = NULL WHERE binding_id = $1`, [binding])
  await query(db, 'DELETE FROM in_flight_batches')
  await operate(binding, 'submitted')
  const [size] = await query<{ pages: number }>(
    db,
    `SELECT pg_relation_size('operations_rest')::bigint / current_setting('block_size')::integer AS pages`,
  )
  expect(size?.pages).toBeGreaterThan(200)
  // While a statement of another test runs, PostgreSQL cannot clear away the removed rows.
  await expect.poll(() => blocksRead(binding)).toBeLessThan(40)
})

async function blocksRead(binding: string): Promise<number> {
  await query(db, 'VACUUM ANALYZE operations')
  await query(db, 'VACUUM ANALYZE in_flight')
  await query(db, 'VACUUM ANALYZE in_flight_batches')
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    db,
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
    ${unsettledBindings.text}`,
    [[binding]],
  )
  const plan = row?.['QUERY PLAN'][0].Plan
  expect(scansOf(plan)).toEqual(['in_flight_pkey', 'operations_rest_pkey'])
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
}

type Plan = { 'Index Name'?: string; 'Shared Hit Blocks': number; 'Shared Read Blocks': number; Plans?: Plan[] }

function scansOf(plan: Plan | undefined): string[] {
  if (!plan) return []
  return [...(plan['Index Name'] === undefined ? [] : [plan['Index Name']]), ...(plan.Plans ?? []).flatMap(scansOf)]
}

test('no move of an operation touches an index', async () => {
  const request = newRequest()
  await instance.accept(request)
  const moves = [
    moveOf(request),
    moveOf(request, {
      sequence: 3,
      from: 'submitting',
      event: 'provider_accepted',
      to: 'submitted',
      next_reconcile_at: new Date().toISOString(),
    }),
    moveOf(request, {
      sequence: 4,
      from: 'submitted',
      event: 'settled',
      to: 'succeeded',
      by: 'reconciler',
      resource: { brand: 'visa' },
    }),
  ]
  const heapOnly = await db.transaction(async (tx) => {
    const counts = [await countHeapOnly(tx)]
    for (const move of moves) {
      await moveViewsTo(tx, [move], await findStandings(tx, [move.operation_id]), rowsOf([move]))
      counts.push(await countHeapOnly(tx))
    }
    return counts.slice(1).map((count, index) => count - (counts[index] ?? 0))
  })
  expect(heapOnly).toEqual([1, 1, 1])
})

async function countHeapOnly(tx: Queryable): Promise<number> {
  const counting = statement('', `SELECT pg_stat_get_xact_tuples_hot_updated('operations_rest'::regclass) AS updated`)
  const [count] = await tx.rows<{ updated: number }>(counting)
  return Number(count?.updated)
}
