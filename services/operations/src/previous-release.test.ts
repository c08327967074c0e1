/**
 * Replicas of the previous release beside this one, on the schema of this one. The statements here are those of the
 * previous release. Together the two lose no operation and announce none that is claimed.
 */

import { randomUUID } from 'node:crypto'
import type { Database } from '@financial-agents/postgres/database'
import { migrate } from '@financial-agents/postgres/migrate'
import { createTestDatabase } from '@financial-agents/postgres/testing/database'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations.ts'
import { createInstance, moveOf, newRequest, openTestOperations, query } from './operations.test-helper.ts'
import { createProjector } from './project.ts'
import { findUnsettledBindings } from './store/operations.ts'
import { findOperatorOperation } from './store/operator-history.ts'
import { sweepUnclaimed } from './sweep.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database
let instance: ReturnType<typeof createInstance>

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
  instance = createInstance(db)
})
afterAll(() => tables.close())

type State = 'accepted' | 'requires_action'

/** Accepts an operation as the previous release did, due in the sweep at once. */
async function acceptAsBefore(on: Database, state: State = 'accepted', binding = 'binding') {
  const request = newRequest()
  await query(
    on,
    `WITH begun AS (
      INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at)
      VALUES ($1, 1, 'new', CASE $2 WHEN 'accepted' THEN 'accept' ELSE 'accept_for_approval' END, $2, 'operations', now()))
    INSERT INTO operations (id, owner_id, subject, client_id, grant_id, binding_id, kind, resource_type, resource_id,
      payload_sealed, traceparent, state, sequence, created_at, updated_at, accepted_at, publish_after)
    VALUES ($1, 'owner', 'subject', 'client', 'grant-of-before', $3, 'transfer', 'transfer', $1, '\\x01', '', $2, 1, now(), now(),
      CASE $2 WHEN 'accepted' THEN now() END, CASE $2 WHEN 'accepted' THEN now() END)`,
    [request.operation_id, state, binding],
  )
  return request
}

async function settleAsBefore(id: string): Promise<void> {
  await query(
    db,
    `UPDATE operations SET state = 'failed', sequence = sequence + 1, payload_sealed = NULL, updated_at = now() WHERE id = $1`,
    [id],
  )
}

async function sweep(): Promise<string[]> {
  const announced: string[] = []
  const announce = async (operations: readonly { id: string }[]) =>
    void announced.push(...operations.map(({ id }) => id))
  while (
    await sweepUnclaimed({ ...instance, announce, repeatMoves: async () => {}, shortestMs: 5_000, longestMs: 60_000 })
  ) {}
  return announced
}

/** The ids that the sweep of the previous release announces. */
async function sweepAsBefore(): Promise<string[]> {
  const rows = await query<{ id: string; state: string }>(
    db,
    `UPDATE operations SET publish_after = CASE state
      WHEN 'accepted' THEN $1::timestamptz + interval '5 seconds' ELSE 'infinity' END
    WHERE id = ANY (ARRAY(
      SELECT id FROM operations WHERE unsettled AND publish_after <= $1
      ORDER BY publish_after LIMIT 500 FOR UPDATE SKIP LOCKED))
    RETURNING id, state`,
    [instance.clock.now()],
  )
  return rows.filter(({ state }) => state === 'accepted').map(({ id }) => id)
}

const inFlight = async () =>
  (await query<{ operation_id: string }>(db, 'SELECT operation_id FROM in_flight')).map((row) => row.operation_id)

test('an operation that a replica of the previous release accepted is in the sweep, and in flight until its outcome', async () => {
  const binding = randomUUID()
  const { operation_id } = await acceptAsBefore(db, 'accepted', binding)
  expect(await sweep()).toContain(operation_id)
  expect(await findUnsettledBindings(db, [binding])).toEqual([binding])
  await settleAsBefore(operation_id)
  expect(await findUnsettledBindings(db, [binding])).toEqual([])
  instance.clock.setOffsetMs(7_200_000)
  expect(await sweep()).not.toContain(operation_id)
  instance.clock.setOffsetMs(0)
  expect(await inFlight()).not.toContain(operation_id)
})

test('an approval that a replica of the previous release granted is in the sweep at once', async () => {
  const { operation_id } = await acceptAsBefore(db, 'requires_action')
  expect(await sweep()).not.toContain(operation_id)
  await query(
    db,
    `UPDATE operations SET state = 'accepted', sequence = 2, accepted_at = now(), publish_after = now() - interval '1 second' WHERE id = $1`,
    [operation_id],
  )
  expect(await sweep()).toContain(operation_id)
})

test('a replica of the previous release announces what this release accepted, and nothing that is claimed', async () => {
  const [waiting, claimed] = [newRequest(), newRequest()]
  await instance.accept(waiting)
  await instance.accept(claimed)
  const log = createLog({ service: 'operations', level: 'silent' })
  await createProjector({ ...instance, log, confirm: async () => {} })([{ transitions: [moveOf(claimed)] }])
  instance.clock.setOffsetMs(6_000)
  const announced = await sweepAsBefore()
  expect(announced).toContain(waiting.operation_id)
  expect(announced).not.toContain(claimed.operation_id)
  instance.clock.setOffsetMs(0)
})

test('history shows each move once, whichever release wrote it', async () => {
  const request = await acceptAsBefore(db)
  const log = createLog({ service: 'operations', level: 'silent' })
  const project = createProjector({ ...instance, log, confirm: async () => {} })
  const done = moveOf(request, { sequence: 3, from: 'submitting', event: 'provider_completed', to: 'succeeded' })
  await project([{ transitions: [moveOf(request), done] }])
  // A replica of the previous release finds no row of the claim, so it writes one.
  await query(
    db,
    `INSERT INTO history (operation_id, sequence, from_state, event, to_state, moved_by, at)
    VALUES ($1, 2, 'accepted', 'claim', 'submitting', 'submitter', now()) ON CONFLICT DO NOTHING`,
    [request.operation_id],
  )
  const found = await findOperatorOperation(db, request.operation_id)
  expect(found?.history.map(({ sequence, to }) => `${sequence} ${to}`)).toEqual([
    '1 accepted',
    '2 submitting',
    '3 succeeded',
  ])
})

test('the migration lists what is in flight, what failed, and the grants', async () => {
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0010'))
  const database = await createTestDatabase({ service: 'operations', migrations: before })
  const own = database.open()
  const [waiting, asking, failed] = [
    await acceptAsBefore(own),
    await acceptAsBefore(own, 'requires_action'),
    await acceptAsBefore(own),
  ]
  await query(own, `UPDATE operations SET state = 'failed', payload_sealed = NULL WHERE id = $1`, [failed.operation_id])
  const { connectionString, schema } = database
  await migrate({ connectionString, schema, migrations })
  const ids = (rows: { operation_id: string }[]) => rows.map(({ operation_id }) => operation_id)
  expect(ids(await query(own, 'SELECT operation_id FROM in_flight ORDER BY publish_after'))).toEqual([
    waiting.operation_id,
    asking.operation_id,
  ])
  expect(ids(await query(own, 'SELECT operation_id FROM unsuccessful'))).toEqual([failed.operation_id])
  expect(await query(own, 'SELECT * FROM grants')).toEqual([
    { grant_id: 'grant-of-before', owner_id: 'owner', client_id: 'client' },
  ])
  await database.close()
})
