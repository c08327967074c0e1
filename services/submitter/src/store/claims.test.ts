/** Fences and the kinds that they stop, against the oracle of kinds (write protocol, rule 8). */

import { randomUUID } from 'node:crypto'
import { type FenceTarget, fenceTargets, type OperationKind } from '@financial-agents/contract/kinds'
import { type Database, statement } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/postgres/testing/database'
import { byKind } from '@financial-agents/testkit/kinds-oracle'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimMarked, newItem } from '../items.test-helper.ts'
import { whileLocked, within } from '../locks.test-helper.ts'
import { migrations } from '../migrations.ts'
import { recordFence } from './fences.ts'

let tables: TestDatabase
let database: Database
beforeAll(async () => {
  tables = await createTestDatabase({ service: 'submitter', migrations })
  database = tables.open()
})
afterAll(() => tables.close())

const all: FenceTarget[] = ['grant', 'client', 'binding', 'mandate']
const stoppedBy: Record<OperationKind | 'loan_create', FenceTarget[]> = {
  ...byKind(({ passes }) => all.filter((fence) => !passes.includes(fence))),
  loan_create: all,
}

test.each(fenceTargets)('a fenced %s stops exactly the kinds that it should', async (target) => {
  const target_id = randomUUID()
  await recordFence(database, { target, target_id, version: 1, reason: 'test' }, new Date())
  const items = Object.keys(stoppedBy).map((kind) => {
    const item = newItem(new Date())
    return { ...item, operation: { ...item.operation, kind, [`${target}_id`]: target_id } }
  })
  const rows = await claimMarked(database, items, 2_000)
  const expected = Object.entries(stoppedBy).map(([kind, by]) => [
    kind,
    by.includes(target) ? 'cancelled' : 'submitting',
  ])
  expect(Object.fromEntries(rows.map(({ kind, state }) => [kind, state]))).toEqual(Object.fromEntries(expected))
  for (const row of rows.filter(({ state }) => state === 'cancelled'))
    expect(row).toMatchObject({ outcome_event: 'cancel_before_submission', failure_code: 'authority_withdrawn' })
})

test('nothing is claimed from the end of its authority on', async () => {
  const at = new Date()
  const endsIn = (ms: number) => {
    const item = newItem(at)
    const authority_ends_at = new Date(at.getTime() + ms).toISOString()
    return { ...item, operation: { ...item.operation, kind: 'mandate_transfer', authority_ends_at } }
  }
  const items = [endsIn(1), endsIn(0), endsIn(-1)]
  const rows = await claimMarked(database, items, 2_000)
  const states = new Map(rows.map(({ attempt_id, state, failure_code }) => [attempt_id, [state, failure_code]]))
  expect(items.map(({ attemptId }) => states.get(attemptId))).toEqual([
    ['submitting', null],
    ['cancelled', 'authority_withdrawn'],
    ['cancelled', 'authority_withdrawn'],
  ])
})

const findFences = statement('test_fences', 'SELECT target FROM fences WHERE target_id = $1')
const fencesOf = async (id: string) =>
  (await database.rows<{ target: string }>(findFences, [id])).map((row) => row.target)

test('what ends the use of its resource raises the fence of it with its claim, however often it is claimed', async () => {
  for (const [kind, raises] of [...Object.entries(byKind(({ raises }) => raises)), ['loan_create', null] as const]) {
    const item = newItem(new Date())
    const items = [{ ...item, operation: { ...item.operation, kind } }]
    for (let times = 0; times < 2; times += 1) await claimMarked(database, items, 2_000)
    expect([kind, await fencesOf(item.operation.resource_id)]).toEqual([kind, raises === null ? [] : [raises]])
  }
})

test('a claim by which nothing is sent raises no fence; one that may have been sent before does', async () => {
  const binding_id = randomUUID()
  await recordFence(database, { target: 'binding', target_id: binding_id, version: 1, reason: 'test' }, new Date())
  for (const [flags, named, state, raised] of [
    [{}, { binding_id }, 'cancelled', []],
    [{ supported: false }, {}, 'failed', []],
    [{ beforeRecovery: true }, {}, 'indeterminate', ['mandate']],
  ] as const) {
    const item = newItem(new Date())
    const operation = { ...item.operation, kind: 'mandate_suspend', ...named }
    const [row] = await claimMarked(database, [{ ...item, ...flags, operation }], 2_000)
    expect([row?.state, await fencesOf(operation.resource_id)]).toEqual([state, raised])
  }
})

test('the claim that raises a fence waits for the claims under way: what they claimed was claimed before', async () => {
  const transfer = newItem(new Date())
  const mandate_id = String(transfer.operation.mandate_id)
  const suspension = newItem(new Date())
  const operation = { ...suspension.operation, kind: 'mandate_suspend', resource_id: mandate_id, mandate_id }
  const [row] = await whileLocked(
    database,
    (tx) => claimMarked(within(database, tx), [transfer], 2_000),
    () => claimMarked(database, [{ ...suspension, operation }], 2_000),
  )
  expect(row?.state).toBe('submitting')
  const later = newItem(new Date())
  const stopped = { ...later, operation: { ...later.operation, kind: 'mandate_transfer', mandate_id } }
  expect(await claimMarked(database, [stopped], 2_000)).toMatchObject([{ state: 'cancelled' }])
})

test('what an operation acts on stays on its row, and on that of one that nothing is sent of', async () => {
  const items = ['card_freeze', 'loan_create'].map((kind) => {
    const item = newItem(new Date())
    const operation = { ...item.operation, kind, target_reference: `card of ${kind}` }
    return { ...item, supported: kind === 'card_freeze', operation }
  })
  const rows = await claimMarked(database, items, 2_000)
  expect(Object.fromEntries(rows.map(({ state, target_reference }) => [state, target_reference]))).toEqual({
    failed: 'card of loan_create',
    submitting: 'card of card_freeze',
  })
})
