import type { OperationTransition } from '@financial-agents/bus/messages/events'
import { CommitUnknown } from '@financial-agents/postgres/errors'
import { createLog } from '@financial-agents/runtime/log'
import { scrape } from '@financial-agents/runtime/metrics/scrape'
import { startPostgresProxy } from '@financial-agents/servers/postgres-proxy'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDecide } from './calls/decide.ts'
import { createInstance, moveOf, newId, newRequest, openTestOperations, query } from './operations.test-helper.ts'
import { createProjector } from './project.ts'
import type { ParkReason } from './store/projection.ts'

let tables: Awaited<ReturnType<typeof openTestOperations>>
let instance: ReturnType<typeof createInstance>
let project: ReturnType<typeof createProjector>
let projectElsewhere: ReturnType<typeof createProjector>
let confirmed: OperationTransition[]
let lines: string[]

async function confirm(committed: readonly OperationTransition[]) {
  confirmed.push(...committed)
}

beforeAll(async () => {
  tables = await openTestOperations()
  instance = createInstance(tables.open())
  const { clock } = instance
  const log = createLog({ service: 'operations', level: 'error', destination: { write: (line) => lines.push(line) } })
  project = createProjector({ db: instance.db, clock, log, confirm })
  projectElsewhere = createProjector({ db: tables.open(), clock, log, confirm })
})
afterAll(() => tables.close())
beforeEach(() => {
  confirmed = []
  lines = []
})

/** An accepted operation, and the transitions that may follow. */
async function accepted() {
  const request = newRequest()
  await instance.accept(request)
  const start = Date.now()
  const at = (ms: number) => new Date(start + ms).toISOString()
  const moves = {
    claimed: moveOf(request, { at: at(10) }),
    unknown: moveOf(request, {
      sequence: 3,
      from: 'submitting',
      event: 'outcome_unknown',
      to: 'indeterminate',
      at: at(20),
      failure_code: 'provider_timeout',
      failure_detail: 'no answer',
      next_reconcile_at: at(1_020),
    }),
    proved: moveOf(request, {
      sequence: 4,
      from: 'indeterminate',
      event: 'proved_succeeded',
      to: 'succeeded',
      by: 'reconciler',
      at: at(2_000),
      upstream_reference: 'provider-7',
      reason: 'found by our reference',
      evidence: { read: 'beneficiary_by_reference', result: 'active', observed_at: at(1_900), digest: 'digest' },
    }),
  }
  return { id: request.operation_id, moves, at }
}

async function viewOf(id: string) {
  const [row] = await query<{ state: string; sequence: number; updated_at: Date; next_reconcile_at: Date | null }>(
    instance.db,
    `SELECT state, sequence, updated_at, failure_code, failure_detail, upstream_reference, next_reconcile_at,
      payload_sealed IS NOT NULL AS has_payload FROM operations WHERE id = $1`,
    [id],
  )
  return row
}

async function historyOf(id: string) {
  const rows = await query<{ event: string }>(
    instance.db,
    'SELECT event FROM moves WHERE operation_id = $1 ORDER BY sequence',
    [id],
  )
  return rows.map((row) => row.event)
}

async function parkedOf(id: string): Promise<ParkReason[]> {
  const rows = await query<{ reason: ParkReason }>(
    instance.db,
    'SELECT reason FROM parked_events WHERE operation_id = $1',
    [id],
  )
  return rows.map((row) => row.reason)
}

const whole = ['accept', 'claim', 'outcome_unknown', 'proved_succeeded']

test('the view follows the highest sequence, with the whole state of the event', async () => {
  const { id, moves, at } = await accepted()
  await project([{ transitions: [moves.claimed] }])
  expect(await viewOf(id)).toMatchObject({ state: 'submitting', sequence: 2, has_payload: true })
  await project([{ transitions: [moves.claimed, moves.unknown] }])
  expect(await viewOf(id)).toEqual({
    state: 'indeterminate',
    sequence: 3,
    updated_at: new Date(at(20)),
    failure_code: 'provider_timeout',
    failure_detail: 'no answer',
    upstream_reference: null,
    next_reconcile_at: new Date(at(1_020)),
    has_payload: false,
  })
  await project([{ transitions: [moves.proved] }])
  expect(await viewOf(id)).toEqual({
    state: 'succeeded',
    sequence: 4,
    updated_at: new Date(at(2_000)),
    failure_code: null,
    failure_detail: null,
    upstream_reference: 'provider-7',
    next_reconcile_at: null,
    has_payload: false,
  })
  expect(await historyOf(id)).toEqual(whole)
})

test("the provider's facts about the resource are stored with the outcome, and returned by decide", async () => {
  const { id, moves } = await accepted()
  const resource = { brand: 'visa', last_four: '4242' }
  await project([{ transitions: [{ ...moves.proved, resource }] }])
  await project([{ transitions: [moves.claimed, { ...moves.unknown, resource: null }] }])
  const decide = createDecide(instance.db, instance.clock)
  expect(await decide({ operation_ids: [id] })).toEqual([
    { operation_id: id, state: 'succeeded', sequence: 4, upstream_reference: 'provider-7', resource },
  ])
})

test('a mover of before, which says nothing of resource and target, is understood', async () => {
  const { id, moves } = await accepted()
  const { resource: _none, target_reference: _neither, ...before } = moves.claimed
  await project([{ transitions: [before] }])
  expect(await viewOf(id)).toMatchObject({ state: 'submitting', sequence: 2 })
  expect(await parkedOf(id)).toEqual([])
})

test.each([
  [['claimed', 'unknown', 'proved']],
  [['claimed', 'proved', 'unknown']],
  [['unknown', 'claimed', 'proved']],
  [['unknown', 'proved', 'claimed']],
  [['proved', 'claimed', 'unknown']],
  [['proved', 'unknown', 'claimed']],
] as const)('events in the order %j end in one history and one view, which never goes back', async (order) => {
  const { id, moves } = await accepted()
  let highest = 1
  for (const name of order) {
    await project([{ transitions: [moves[name]] }])
    highest = Math.max(highest, moves[name].sequence)
    expect((await viewOf(id))?.sequence).toBe(highest)
  }
  expect(await viewOf(id)).toMatchObject({ state: 'succeeded', has_payload: false })
  expect(await historyOf(id)).toEqual(whole)
  expect(await parkedOf(id)).toEqual([])
})

test.each([[['claimed', 'unknown', 'proved']], [['proved', 'unknown', 'claimed']]] as const)(
  'the first outcome and the final state are timed once each, from the acceptance: %j',
  async (order) => {
    const { id, moves } = await accepted()
    const [row] = await query<{ accepted_at: Date }>(instance.db, 'SELECT accepted_at FROM operations WHERE id = $1', [
      id,
    ])
    const after = (seconds: number) => new Date((row?.accepted_at.getTime() ?? 0) + seconds * 1_000).toISOString()
    const timed = {
      claimed: { ...moves.claimed, at: after(1) },
      unknown: { ...moves.unknown, at: after(20) },
      proved: { ...moves.proved, at: after(50) },
    }
    const before = await durations()
    for (const name of order) {
      await project([{ transitions: [timed[name]] }])
      await projectElsewhere([{ transitions: [timed[name]] }])
    }
    const since = (await durations()).map((value, index) => value - (before[index] ?? 0))
    expect(since).toEqual([0, 1, 1, 0, 1, 1])
  },
)

/** The operations that were indeterminate within 10 s, within 30 s and at all, and those that succeeded within 30 s, 60 s and at all. */
async function durations(): Promise<number[]> {
  const lines = (await scrape('operations')).split('\n')
  const sum = (...parts: string[]) =>
    lines
      .filter((line) => parts.every((part) => line.includes(part)))
      .reduce((total, line) => total + Number(line.split(' ').at(-1)), 0)
  const first = (...parts: string[]) => sum('first_outcome_duration_seconds_', 'state="indeterminate"', ...parts)
  const final = (...parts: string[]) => sum('final_outcome_duration_seconds_', 'state="succeeded"', ...parts)
  return [first('le="10"'), first('le="30"'), first('count'), final('le="30"'), final('le="60"'), final('count')]
}

test('duplicates, in one message, across messages and across instances, change nothing and are confirmed again', async () => {
  const { id, moves } = await accepted()
  const all = [moves.proved, moves.claimed, moves.unknown, moves.claimed]
  await project([{ transitions: all }, { transitions: all.toReversed() }])
  await Promise.all([project([{ transitions: all }]), projectElsewhere([{ transitions: all }])])
  expect(await historyOf(id)).toEqual(whole)
  expect(await viewOf(id)).toMatchObject({ state: 'succeeded', sequence: 4 })
  const sequences = confirmed.filter((move) => move.by === 'submitter').map((move) => move.sequence)
  expect(sequences).toEqual([2, 3, 2, 3, 2, 3])
  expect(lines).toEqual([])
})

test('two instances project the same operations in opposite orders without a deadlock', async () => {
  const operations = await Promise.all(Array.from({ length: 200 }, accepted))
  const claims = operations.map(({ moves }) => moves.claimed)
  const outcomes = operations.map(({ moves }) => moves.unknown).toReversed()
  await Promise.all([
    project([{ transitions: claims }]),
    projectElsewhere([{ transitions: outcomes }]),
    project([{ transitions: outcomes }]),
    projectElsewhere([{ transitions: claims.toReversed() }]),
  ])
  const views = await Promise.all(operations.map(({ id }) => viewOf(id)))
  expect(new Set(views.map((view) => view?.state))).toEqual(new Set(['indeterminate']))
})

test('updated_at never goes back, whatever the clocks of the movers say', async () => {
  const { id, moves, at } = await accepted()
  await project([{ transitions: [moves.claimed, { ...moves.unknown, at: at(500) }] }])
  await project([{ transitions: [{ ...moves.proved, at: at(100) }] }])
  expect((await viewOf(id))?.updated_at).toEqual(new Date(at(500)))
})

test('a planned read shows only while the operation stands where it was planned, and never moves back', async () => {
  const { id, moves, at } = await accepted()
  const plan = (ms: number, sequence = 3) => ({ operation_id: id, sequence, next_reconcile_at: at(ms) })
  await project([{ transitions: [moves.unknown], reads_planned: [plan(5_000)] }])
  expect((await viewOf(id))?.next_reconcile_at).toEqual(new Date(at(5_000)))
  await project([{ transitions: [], reads_planned: [plan(9_000), plan(7_000)] }])
  await project([{ transitions: [], reads_planned: [plan(3_000), plan(20_000, 2)] }])
  expect((await viewOf(id))?.next_reconcile_at).toEqual(new Date(at(9_000)))
  await project([{ transitions: [moves.proved], reads_planned: [plan(30_000)] }])
  expect((await viewOf(id))?.next_reconcile_at).toBeNull()
})

test('an illegal transition is parked and alerted once while the rest of the batch commits', async () => {
  const [bad, good] = [await accepted(), await accepted()]
  const illegal = { ...bad.moves.claimed, to: 'succeeded' as const }
  const wrongPen = { ...bad.moves.claimed, by: 'reconciler' as const }
  for (let round = 0; round < 2; round++)
    await project([{ transitions: [illegal, wrongPen, good.moves.claimed] }, { transitions: [bad.moves.unknown] }])
  expect(await parkedOf(bad.id)).toEqual(['illegal_transition', 'illegal_transition'])
  expect(await viewOf(good.id)).toMatchObject({ state: 'submitting' })
  expect(await viewOf(bad.id)).toMatchObject({ state: 'indeterminate' })
  expect(confirmed).not.toContainEqual(illegal)
  expect(lines.map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual([
    'illegal_transition',
    'illegal_transition',
  ])
})

test("this service's own announcements are ignored, and delay nothing in the same batch", async () => {
  const { id, moves } = await accepted()
  const own = {
    ...moves.claimed,
    sequence: 1,
    from: 'requires_action',
    event: 'approval_declined',
    to: 'cancelled',
    by: 'operations',
  } as const
  await project([{ transitions: [own, moves.claimed] }])
  expect(await parkedOf(id)).toEqual([])
  expect(await viewOf(id)).toMatchObject({ state: 'submitting' })
})

test('nothing after a parked transition is confirmed: the mover sends both again', async () => {
  const { id, moves } = await accepted()
  const unheardOf = { ...moves.claimed, event: 'leap' as never }
  await project([{ transitions: [unheardOf, moves.unknown] }])
  expect(await viewOf(id)).toMatchObject({ state: 'indeterminate', sequence: 3 })
  expect(confirmed).toEqual([])
  await project([{ transitions: [moves.claimed, moves.unknown] }])
  expect(confirmed).toEqual([moves.claimed, moves.unknown])
  expect(await historyOf(id)).toEqual(whole.slice(0, 3))
})

test('a terminal state is never left, and a transition from a state that was not there is broken', async () => {
  const settled = await accepted()
  await project([{ transitions: Object.values(settled.moves) }])
  await project([{ transitions: [{ ...settled.moves.unknown, sequence: 5 }] }])
  expect(await viewOf(settled.id)).toMatchObject({ state: 'succeeded', sequence: 4 })
  expect(await parkedOf(settled.id)).toEqual(['broken_chain'])
  const fresh = await accepted()
  await project([{ transitions: [{ ...fresh.moves.unknown, sequence: 2 }] }])
  expect(await viewOf(fresh.id)).toMatchObject({ state: 'accepted', sequence: 1 })
  expect(await parkedOf(fresh.id)).toEqual(['broken_chain'])
})

test('one state for a sequence: a second transition of one sequence is parked and not confirmed', async () => {
  const { id, moves } = await accepted()
  await project([{ transitions: [moves.claimed, moves.unknown] }])
  const rival: OperationTransition = { ...moves.unknown, event: 'provider_completed', to: 'succeeded' }
  confirmed = []
  await project([{ transitions: [moves.claimed, rival] }])
  expect(await viewOf(id)).toMatchObject({ state: 'indeterminate', sequence: 3 })
  expect(await parkedOf(id)).toEqual(['contradicts_history'])
  expect(confirmed).toEqual([moves.claimed])
})

test('a transition of an operation unknown here is parked; when the operation is known, the repeat is projected', async () => {
  const { id, moves } = await accepted()
  const unknown = { ...moves.claimed, operation_id: newId() }
  await project([{ transitions: [unknown, moves.claimed] }])
  expect(await parkedOf(unknown.operation_id)).toEqual(['unknown_operation'])
  expect(confirmed).toEqual([moves.claimed])
  await instance.accept(newRequest({ operation_id: unknown.operation_id }))
  await project([{ transitions: [unknown] }])
  expect(await viewOf(unknown.operation_id)).toMatchObject({ state: 'submitting' })
  expect(await viewOf(id)).toMatchObject({ state: 'submitting' })
})

test('a transition that PostgreSQL refuses is parked alone', async () => {
  const [bad, good] = [await accepted(), await accepted()]
  const refused = { ...bad.moves.unknown, failure_detail: 'a\0b' }
  await project([{ transitions: [bad.moves.claimed, refused, good.moves.claimed] }])
  expect(await parkedOf(bad.id)).toEqual(['refused_by_database'])
  expect(await viewOf(bad.id)).toMatchObject({ state: 'submitting', sequence: 2 })
  expect(await viewOf(good.id)).toMatchObject({ state: 'submitting' })
})

test('a message that is not what it should be stops nothing', async () => {
  const { id, moves } = await accepted()
  const wrong = [
    { sequence: 1.5 },
    { at: 'yesterday' },
    { resource: 'visa' },
    { resource: ['visa'] },
    { resource: { brand: 1 } },
  ]
  const odd = [null, 7, {}, ...wrong.map((over) => ({ ...moves.unknown, ...over }))]
  await project([{ transitions: odd as unknown as OperationTransition[] }, null as never, {} as never])
  await project([{ transitions: [moves.claimed], reads_planned: [null, { operation_id: id }] as never }])
  expect(await viewOf(id)).toMatchObject({ state: 'submitting' })
  const parked = await query(instance.db, `SELECT 1 FROM parked_events WHERE reason = 'malformed'`)
  expect(parked).toHaveLength(odd.length)
})

test('history keeps who moved it, why and the evidence, for operators', async () => {
  const { id, moves } = await accepted()
  await project([{ transitions: Object.values(moves) }])
  const [row] = await query(
    instance.db,
    'SELECT moved_by, reason, evidence FROM moves WHERE operation_id = $1 AND sequence = 4',
    [id],
  )
  const { by, reason, evidence } = moves.proved
  expect(row).toEqual({ moved_by: by, reason, evidence })
})

test('a batch whose commit broke off is not confirmed', async () => {
  const { id, moves } = await accepted()
  const proxy = await startPostgresProxy(tables.connectionString)
  const db = tables.open(proxy.connectionString)
  const log = createLog({ service: 'operations', level: 'silent' })
  const projectThere = createProjector({ db, clock: instance.clock, log, confirm })
  proxy.arm('before_commit')
  await expect(projectThere([{ transitions: [moves.claimed] }])).rejects.toThrow(CommitUnknown)
  expect(confirmed).toEqual([])
  await projectThere([{ transitions: [moves.claimed] }])
  expect(confirmed.map(({ operation_id, sequence }) => [operation_id, sequence])).toEqual([[id, 2]])
  await db.close()
  await proxy.close()
})
