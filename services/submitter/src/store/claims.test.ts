/** Which fence stops which kind, against a table written by hand from the write protocol, rule 8. */

import { randomUUID } from 'node:crypto'
import { type FenceTarget, fenceTargets, type OperationKind } from '@financial-agents/operation-machine/kinds'
import type { Database } from '@financial-agents/postgres/database'
import { createTestDatabase, type TestDatabase } from '@financial-agents/testkit/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newItem } from '../items.test-helper.ts'
import { migrations } from '../migrations.ts'
import { recordClaims } from './claims.ts'
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
  beneficiary_create: all,
  card_close: ['binding', 'mandate'],
  card_create: all,
  card_freeze: ['binding', 'mandate'],
  card_unfreeze: all,
  mandate_create: all,
  // Its own mandate's fence is set before it is accepted.
  mandate_revoke: ['binding'],
  mandate_suspend: ['binding'],
  mandate_transfer: all,
  transfer: all,
  transfer_grant_revoke: ['mandate'],
  loan_create: all,
}

test.each(fenceTargets)('a fenced %s stops exactly the kinds that it should', async (target) => {
  const target_id = randomUUID()
  await recordFence(database, { target, target_id, reason: 'test' }, new Date())
  const items = Object.keys(stoppedBy).map((kind) => {
    const item = newItem(new Date())
    return { ...item, operation: { ...item.operation, kind, [`${target}_id`]: target_id } }
  })
  const rows = await recordClaims(database, items, 2_000)
  const expected = Object.entries(stoppedBy).map(([kind, by]) => [
    kind,
    by.includes(target) ? 'cancelled' : 'submitting',
  ])
  expect(Object.fromEntries(rows.map(({ kind, state }) => [kind, state]))).toEqual(Object.fromEntries(expected))
  for (const row of rows.filter(({ state }) => state === 'cancelled'))
    expect(row).toMatchObject({ outcome_event: 'cancel_before_submission', failure_code: 'authority_withdrawn' })
})

test('what an operation acts on stays on its row, and on that of one that nothing is sent of', async () => {
  const items = ['card_freeze', 'loan_create'].map((kind) => {
    const item = newItem(new Date())
    const operation = { ...item.operation, kind, target_reference: `card of ${kind}` }
    return { ...item, supported: kind === 'card_freeze', operation }
  })
  const rows = await recordClaims(database, items, 2_000)
  expect(Object.fromEntries(rows.map(({ state, target_reference }) => [state, target_reference]))).toEqual({
    failed: 'card of loan_create',
    submitting: 'card of card_freeze',
  })
})
