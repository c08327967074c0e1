/** The guarantees of the statement that moves views by itself, for any caller and any delay. */

import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { Database } from '@financial-agents/postgres/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../fold.ts'
import { createInstance, moveOf, newRequest, openTestOperations, query } from '../operations.test-helper.ts'
import { moveViewsTo, ViewMoved } from './projection.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
})
afterAll(() => tables.close())

const accepted = { state: 'accepted', sequence: 1 }

/** An accepted operation, with its claim and an uncertain outcome. */
async function accept() {
  const request = newRequest()
  await createInstance(db).accept(request)
  const claimed = moveOf(request)
  const unknown = moveOf(request, { sequence: 3, from: 'submitting', event: 'outcome_unknown', to: 'indeterminate' })
  return { id: request.operation_id, claimed, unknown }
}

const move = (moves: OperationTransition[], from: { sequence: number }) =>
  db.transaction((tx) => moveViewsTo(tx, moves, new Map(moves.map((one) => [one.operation_id, from])), rowsOf(moves)))

async function standingOf(id: string) {
  const [row] = await query(db, 'SELECT state, sequence FROM operations WHERE id = $1', [id])
  return row
}

test('a view never goes back: a move from a standing that was read before another move is refused', async () => {
  const { id, claimed, unknown } = await accept()
  await move([unknown], accepted)
  await expect(move([claimed], accepted)).rejects.toBeInstanceOf(ViewMoved)
  expect(await standingOf(id)).toEqual({ state: 'indeterminate', sequence: 3 })
})

test('a batch moves nothing if one of its views has left its standing', async () => {
  const [moved, waiting] = [await accept(), await accept()]
  await move([moved.unknown], accepted)
  await expect(move([waiting.claimed, moved.claimed], accepted)).rejects.toBeInstanceOf(ViewMoved)
  expect(await standingOf(waiting.id)).toEqual(accepted)
})

test('facts of the resource stay if a later move has none', async () => {
  const { id, claimed, unknown } = await accept()
  const resource = { brand: 'visa' }
  await move([{ ...claimed, resource }], accepted)
  await move([unknown], { sequence: 2 })
  const [row] = await query(db, 'SELECT resource_facts FROM operations WHERE id = $1', [id])
  expect(row).toEqual({ resource_facts: resource })
})
