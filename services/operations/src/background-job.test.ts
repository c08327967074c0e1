import { createFrozenClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { announceUnclaimed, pruneExpiredKeys } from './background-job.ts'
import {
  createInstance,
  dayMs,
  moveOf,
  newRequest,
  offeredAgain,
  openTestOperations,
  query,
} from './operations.test-helper.ts'
import { createProjector } from './project.ts'
import { findUnsettledBindings } from './store/operations.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>

beforeAll(async () => {
  tables = await openTestOperations()
})
afterAll(() => tables.close())

const createStanding = (clock = createFrozenClock()) => createInstance(tables.open(), { clock })

/** Runs the background job of a process `offsetMs` from now. Returns its announcements. */
async function announcedAt(instance: ReturnType<typeof createInstance>, offsetMs: number): Promise<string[]> {
  const announced: string[] = []
  instance.clock.setOffsetMs(offsetMs)
  const announce = async (operations: readonly { id: string }[]) => {
    announced.push(...operations.map(({ id }) => id))
  }
  while (
    await announceUnclaimed({
      ...instance,
      announce,
      repeatMoves: async () => {},
      shortestMs: 5_000,
      longestMs: 60_000,
    })
  ) {}
  return announced
}

test('an accepted operation is announced again, less and less often, until an event of the submitter has moved it', async () => {
  const instance = createStanding()
  const request = newRequest()
  await instance.accept(request)
  const { operation_id } = request
  expect(await announcedAt(instance, 1_000)).toEqual([])
  const times: number[] = []
  for (let ms = 1_000; ms <= 300_000; ms += 1_000)
    if ((await announcedAt(instance, ms)).includes(operation_id)) times.push(ms / 1_000)
  expect(times[0]).toBeGreaterThanOrEqual(5)
  expect(times[0]).toBeLessThanOrEqual(6)
  expect(times.length).toBeGreaterThan(6)
  expect(times.length).toBeLessThan(12)
  const log = createLog({ service: 'operations', level: 'silent' })
  const project = createProjector({ ...instance, log, confirm: async () => {} })
  await project([{ transitions: [moveOf(request)] }])
  expect(await announcedAt(instance, 24 * 3_600_000)).toEqual([])
})

test('a claimed operation without an outcome is never announced, and is looked at once an hour', async () => {
  const instance = createStanding()
  const request = newRequest()
  await instance.accept(request)
  const log = createLog({ service: 'operations', level: 'silent' })
  const project = createProjector({ ...instance, log, confirm: async () => {} })
  await project([{ transitions: [moveOf(request)] }])
  expect(await announcedAt(instance, dayMs)).toEqual([])
  const [row] = await query<{ left: boolean }>(
    instance.db,
    `SELECT publish_after > now() + interval '1 day' AS left FROM in_flight_batches WHERE $1 = ANY (operation_ids)`,
    [request.operation_id],
  )
  expect(row).toEqual({ left: true })
})

test.each(['alone', 'in a batch'])(
  'an operation that was listed %s stays listed until its outcome: the credentials of its binding are needed for reads',
  async (listed) => {
    const instance = createStanding()
    const [request, beside] = [newRequest(), newRequest()]
    const { operation_id: id } = request
    await Promise.all([request, beside].map((one) => instance.accept(one)))
    if (listed === 'alone') {
      await query(instance.db, 'DELETE FROM in_flight_batches WHERE $1 = ANY (operation_ids)', [id])
      await query(instance.db, 'INSERT INTO in_flight (operation_id, publish_after) VALUES ($1, now())', [id])
    }
    const log = createLog({ service: 'operations', level: 'silent' })
    const project = createProjector({ ...instance, log, confirm: async () => {} })
    const binding = String(request.principal.binding_id)
    const moves = [
      moveOf(request),
      moveOf(request, { sequence: 3, from: 'submitting', event: 'outcome_unknown', to: 'indeterminate' }),
      moveOf(request, {
        sequence: 4,
        from: 'indeterminate',
        event: 'proved_succeeded',
        to: 'succeeded',
        by: 'reconciler',
      }),
    ]
    for (const [index, move] of moves.entries()) {
      await project([{ transitions: [move] }])
      await announcedAt(instance, (index + 1) * dayMs)
      expect(await findUnsettledBindings(instance.db, [binding]), move.to).toEqual(index < 2 ? [binding] : [])
    }
    const left = await query<{ operation_id: string }>(
      instance.db,
      'SELECT operation_id FROM in_flight UNION SELECT unnest(operation_ids) FROM in_flight_batches',
    )
    expect(left.map(({ operation_id }) => operation_id)).not.toContain(id)
  },
)

test('two replicas share the background job: each unclaimed operation is announced by one of them', async () => {
  const one = createStanding()
  const other = createStanding(one.clock)
  const requests = Array.from({ length: 1_200 }, () => newRequest())
  await Promise.all(requests.map((request) => one.accept(request)))
  const announced = (await Promise.all([announcedAt(one, 6_000), announcedAt(other, 6_000)])).flat()
  expect(announced.toSorted()).toEqual(requests.map((request) => request.operation_id).toSorted())
})

test('the prune removes key records older than 30 days in batches, and nothing else', async () => {
  const instance = createInstance(tables.open())
  const requests = Array.from({ length: 2_500 }, () => newRequest())
  await Promise.all(requests.map((request) => instance.accept(request)))
  instance.clock.setOffsetMs(29 * dayMs)
  expect(await pruneExpiredKeys(instance)).toBe(false)
  const recent = newRequest()
  await instance.accept(recent)
  instance.clock.setOffsetMs(30 * dayMs + 60_000)
  const other = createInstance(tables.open())
  other.clock.setOffsetMs(30 * dayMs + 60_000)
  let runs = 0
  for (const replica of [instance, other]) while (await pruneExpiredKeys(replica)) runs += 1
  expect(runs).toBeGreaterThanOrEqual(2)
  const ids = requests.map((request) => request.operation_id)
  const left = await query<{ operation_id: string }>(instance.db, 'SELECT operation_id FROM idempotency_keys')
  expect(left).toEqual([{ operation_id: recent.operation_id }])
  const operations = await query(instance.db, 'SELECT 1 FROM operations WHERE id = ANY ($1::uuid[])', [ids])
  expect(operations).toHaveLength(requests.length)
})

test('pruning while the same keys are offered again accepts each at most once more', async () => {
  const instance = createInstance(tables.open())
  const requests = Array.from({ length: 300 }, () => newRequest())
  await Promise.all(requests.map((request) => instance.accept(request)))
  instance.clock.setOffsetMs(31 * dayMs)
  const pruning = (async () => {
    while (await pruneExpiredKeys(instance)) {}
  })()
  const results = await Promise.all(
    requests.flatMap((request) => [instance.accept(offeredAgain(request)), instance.accept(offeredAgain(request))]),
  )
  await pruning
  const expected = new Set(['accepted', 'replayed', 'expired'])
  expect(results.filter((result) => !expected.has(result.type))).toEqual([])
  const accepted = results.flatMap((result) => (result.type === 'accepted' ? result.operation.id : []))
  const keys = await query<{ operation_id: string }>(
    instance.db,
    'SELECT operation_id FROM idempotency_keys WHERE operation_id = ANY ($1::uuid[])',
    [accepted],
  )
  expect(keys).toHaveLength(accepted.length)
})
