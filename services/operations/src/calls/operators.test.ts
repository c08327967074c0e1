import { operationStates } from '@financial-agents/contract/machine'
import type { Database } from '@financial-agents/postgres/database'
import { createClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createInstance, moveOf, newId, newRequest, openTestOperations, query } from '../operations.test-helper.ts'
import { createProjector } from '../project.ts'
import { listGrantActivity } from '../store/grant-activity.ts'
import { findOperatorOperation } from '../store/operator-history.ts'
import { store, storedOne } from '../stored.test-helper.ts'
import { createOverview } from './overview.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

let tables: Awaited<ReturnType<typeof openTestOperations>>
let db: Database

beforeAll(async () => {
  tables = await openTestOperations()
  db = tables.open()
})
afterAll(() => tables.close())
beforeEach(() =>
  query(
    db,
    `DO $$ BEGIN
      ALTER TABLE history DISABLE TRIGGER history_is_append_only;
      DELETE FROM history;
      ALTER TABLE history ENABLE TRIGGER history_is_append_only;
      DELETE FROM operations; DELETE FROM in_flight; DELETE FROM in_flight_batches; DELETE FROM unsuccessful; DELETE FROM grants;
    END $$`,
  ),
)

const clock = createClock()
const ago = (ms: number) => new Date(clock.nowMs() - ms)

test('an operation is shown with every move: who moved it, why, and by which evidence', async () => {
  const instance = createInstance(db)
  const request = newRequest()
  await instance.accept(request)
  const at = new Date().toISOString()
  const evidence = { read: 'transfer_by_reference', result: 'settled', observed_at: at, digest: 'digest' }
  const unknown = { sequence: 3, from: 'submitting', event: 'outcome_unknown', to: 'indeterminate' } as const
  const proved = { sequence: 4, from: 'indeterminate', event: 'proved_succeeded', to: 'succeeded' } as const
  const transitions = [
    moveOf(request),
    moveOf(request, { ...unknown, failure_code: 'provider_timeout', next_reconcile_at: at }),
    moveOf(request, {
      ...proved,
      by: 'reconciler',
      reason: 'found',
      evidence: { ...evidence, raw: 'secret' } as never,
    }),
  ]
  const log = createLog({ service: 'operations', level: 'silent' })
  await createProjector({ db, clock, log, confirm: async () => {} })([{ transitions }])
  const found = await findOperatorOperation(db, request.operation_id)
  expect(found?.operation).toMatchObject({ state: 'succeeded', subject: request.principal.subject, failure_code: null })
  const plain = { failure_code: null, reason: null, evidence: null }
  expect(found?.history).toMatchObject([
    { ...plain, sequence: 1, from: null, event: 'accept', to: 'accepted', by: 'operations' },
    { ...plain, sequence: 2, from: 'accepted', event: 'claim', to: 'submitting', by: 'submitter' },
    { ...plain, ...unknown, by: 'submitter', failure_code: 'provider_timeout' },
    { ...proved, by: 'reconciler', at: expect.any(String), reason: 'found', evidence },
  ])
  const reported = JSON.stringify(found)
  for (const secret of [request.principal.owner_id, request.principal.binding_id, request.payload_sealed, 'secret'])
    expect(reported).not.toContain(secret)
})

test('an unknown operation has no history', async () => {
  expect(await findOperatorOperation(db, newId())).toBeUndefined()
  expect(await findOperatorOperation(db, "1' OR '1")).toBeUndefined()
})

test('the overview counts everything in flight, and of what ended the last 24 hours', async () => {
  await store(db, [
    ...operationStates.map((state) => storedOne({ state, created_at: ago(minuteMs / 2) })),
    storedOne({ state: 'indeterminate', created_at: ago(48 * hourMs) }),
    storedOne({ created_at: ago(48 * hourMs), updated_at: ago(23 * hourMs) }),
    storedOne({ created_at: ago(48 * hourMs), updated_at: ago(25 * hourMs) }),
    storedOne({ state: 'cancelled', created_at: ago(48 * hourMs) }),
  ])
  const { counts, ages, oldest } = await createOverview(db, clock)()
  const ones = Object.fromEntries(operationStates.map((state) => [state, 1]))
  expect(counts).toEqual({ ...ones, indeterminate: 2, succeeded: 2 })
  expect(ages.filter(({ operations }) => operations > 0)).toEqual([
    { state: 'requires_action', under_seconds: 60, operations: 1 },
    { state: 'accepted', under_seconds: 60, operations: 1 },
    { state: 'submitting', under_seconds: 60, operations: 1 },
    { state: 'submitted', under_seconds: 60, operations: 1 },
    { state: 'indeterminate', under_seconds: 60, operations: 1 },
    { state: 'indeterminate', under_seconds: null, operations: 1 },
  ])
  expect(ages).toHaveLength(25)
  expect(oldest.map(({ state }) => state).toSorted()).toEqual(
    ['accepted', 'indeterminate', 'indeterminate', 'requires_action', 'submitted', 'submitting'].toSorted(),
  )
  expect(oldest[0]).toMatchObject({ state: 'indeterminate', created_at: expect.any(String) })
})

test('ages end where the next begins', async () => {
  const now = clock.now()
  const still = { ...clock, now: () => now }
  const agesMs = [-5_000, 59_999, 60_000, 299_999, 300_000, 3_600_000, 86_399_999, 86_400_000]
  await store(
    db,
    agesMs.map((ms) => storedOne({ state: 'submitted', created_at: new Date(now.getTime() - ms) })),
  )
  const { ages } = await createOverview(db, still)()
  expect(ages.filter(({ state }) => state === 'submitted').map(({ operations }) => operations)).toEqual([2, 2, 1, 2, 1])
})

test('hours follow each other to the one under way, each with what was created and what ended in it', async () => {
  const now = new Date('2026-11-20T10:30:00.000Z')
  const at = (time: string) => new Date(`2026-11-${time}:00.000Z`)
  await store(db, [
    storedOne({ created_at: at('20T10:10'), updated_at: at('20T10:20') }),
    storedOne({ created_at: at('20T09:59'), updated_at: at('20T10:00'), state: 'failed' }),
    storedOne({ created_at: at('19T11:00'), updated_at: at('20T10:05'), state: 'cancelled' }),
    storedOne({ created_at: at('19T10:59'), state: 'submitted' }),
    storedOne({ created_at: at('20T10:29'), state: 'submitted' }),
  ])
  const { hours } = await createOverview(db, { ...clock, now: () => now })()
  expect(hours).toHaveLength(24)
  const none = { created: 0, succeeded: 0, failed: 0, cancelled: 0 }
  expect(hours[0]).toEqual({ ...none, hour: '2026-11-19T11:00:00.000Z', created: 1 })
  expect(hours.at(-2)).toEqual({ ...none, hour: '2026-11-20T09:00:00.000Z', created: 1 })
  expect(hours.at(-1)).toEqual({ hour: '2026-11-20T10:00:00.000Z', created: 2, succeeded: 1, failed: 1, cancelled: 1 })
  expect(hours.slice(1, -2).every((hour) => hour.created + hour.succeeded + hour.failed + hour.cancelled === 0)).toBe(
    true,
  )
})

test('codes are counted of the last 24 hours, of what failed and of what is uncertain, most frequent first', async () => {
  const failed = { state: 'failed', failure_code: 'provider_refused' } as const
  const uncertain = { state: 'indeterminate', failure_code: 'provider_timeout' } as const
  await store(db, [
    storedOne({ ...uncertain, created_at: ago(hourMs) }),
    storedOne({ ...failed, created_at: ago(hourMs), kind: 'card_create' }),
    storedOne({ ...failed, created_at: ago(hourMs) }),
    storedOne({ ...failed, created_at: ago(25 * hourMs) }),
    storedOne({ ...uncertain, created_at: ago(25 * hourMs) }),
  ])
  const { failures } = await createOverview(db, clock)()
  expect(failures).toEqual([
    { failure_code: 'provider_refused', operations: 2 },
    { failure_code: 'provider_timeout', operations: 1 },
  ])
})

test('at most twenty are shown as the oldest, the oldest first', async () => {
  const made = Array.from({ length: 25 }, (_one, index) =>
    storedOne({ state: 'submitted', created_at: ago((index + 1) * minuteMs) }),
  )
  await store(db, made)
  const { oldest } = await createOverview(db, clock)()
  expect(oldest.map(({ operation_id }) => operation_id)).toEqual(
    made
      .slice(5)
      .toReversed()
      .map(({ id }) => id),
  )
})

test('nothing at all is shown as nothing', async () => {
  const { counts, hours, oldest, failures } = await createOverview(db, clock)()
  expect(Object.values(counts)).toEqual(operationStates.map(() => 0))
  expect(hours).toHaveLength(24)
  expect([oldest, failures]).toEqual([[], []])
})

test('a grant did last what is newest, with an outcome or without; other grants do not count', async () => {
  const [busy, done, idle] = [newId(), newId(), newId()]
  const flying = storedOne({ grant_id: busy, state: 'submitted', created_at: ago(1_000) })
  const ended = storedOne({ grant_id: done, state: 'failed', created_at: ago(2_000) })
  await store(db, [
    flying,
    ended,
    storedOne({ grant_id: busy, created_at: ago(5_000) }),
    storedOne({ grant_id: busy, state: 'indeterminate', created_at: ago(9_000) }),
    storedOne({ grant_id: done, created_at: ago(9_000) }),
    storedOne({ grant_id: newId(), state: 'accepted' }),
  ])
  const activity = await listGrantActivity(db, [idle, done, busy, done])
  expect(activity).toMatchObject([
    { grant_id: idle, operations_in_flight: 0, last: null },
    { grant_id: done, operations_in_flight: 0, last: { operation_id: ended.id, state: 'failed' } },
    { grant_id: busy, operations_in_flight: 2, last: { operation_id: flying.id, state: 'submitted' } },
  ])
  expect(JSON.stringify(activity)).not.toContain('secret')
  expect(await listGrantActivity(db, [])).toEqual([])
})
