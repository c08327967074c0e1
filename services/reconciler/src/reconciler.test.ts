/** The guarantees of the reconciler, over a real database, bus and provider. */

import { hash, randomUUID } from 'node:crypto'
import type { LateAnswer } from '@financial-agents/bus/messages/events'
import { statement } from '@financial-agents/postgres/database'
import { createClock, createFrozenClock } from '@financial-agents/runtime/clock'
import { Unavailable } from '@financial-agents/runtime/unavailable'
import { startPostgresProxy } from '@financial-agents/servers/postgres-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { takeOver } from './handoffs.ts'
import { toReading } from './reading.ts'
import { lockDue, recordReadings } from './store/reads.ts'
import { validate } from './validate.ts'
import { createWorld, log, newHandoff, pause, until, type World } from './world.test-helper.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => {
  await world.stopReconcilers()
  Object.assign(world.behaviour, { onboardingAnswers: true, confirms: true })
  await world.database.rows(park)
})
afterAll(() => world.close())

const hourMs = 3_600_000
const unpromised = { tookMs: 0, deadlines: null }
// Parks the operations that a test left open, so that the next test does not read them.
const park = statement('test_park', "UPDATE reconciliations SET next_read_at = 'infinity' WHERE settled_at IS NULL")
const findRow = statement('test_row', 'SELECT * FROM reconciliations WHERE operation_id = $1')
const findEvidence = statement('test_evidence', 'SELECT * FROM evidence WHERE operation_id = $1 ORDER BY number')
type Row = {
  state: string
  sequence: number
  reads: number
  not_found: number
  review: boolean
  review_reason: string
  locked_until: Date | null
}
const row = async (id: string) => (await world.database.rows<Row>(findRow, [id]))[0]
const evidenceOf = (id: string) =>
  world.database.rows<{ result: string; digest: string; number: number }>(findEvidence, [id])
const path = (id: string) =>
  world.transitionsOf(id).map(({ sequence, from, event, to }) => ({ sequence, from, event, to }))
const reads = (id: string, count: number) => until(async () => ((await row(id))?.reads ?? 0) >= count)

test('an uncertain operation that the provider executed is proved succeeded, with its evidence hashed', async () => {
  await world.start()
  const id = randomUUID()
  await world.provider.execute(id, 'accept_drop_reply')
  world.handOff('indeterminate', { operation_id: id })
  await until(() => path(id).length === 1)
  expect(path(id)).toEqual([{ sequence: 4, from: 'indeterminate', event: 'proved_succeeded', to: 'succeeded' }])
  const [transition] = world.transitionsOf(id)
  expect(transition).toMatchObject({
    by: 'reconciler',
    failure_code: null,
    next_reconcile_at: null,
    upstream_reference: expect.any(String),
  })
  expect(transition?.evidence).toMatchObject({
    read: 'beneficiary_by_reference',
    result: 'found_succeeded',
    digest: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(await evidenceOf(id)).toMatchObject([
    { number: 1, result: 'found_succeeded', digest: transition?.evidence?.digest },
  ])
  expect(world.handedOff).toContainEqual({ operation_id: id, sequence: 3 })
})

test.each([
  ['succeeded', 'settled', 'succeeded', null],
  ['failed', 'settlement_failed', 'failed', 'provider_settlement_failed'],
] as const)('a submitted operation that settles as %s is %s', async (as, event, to, failure_code) => {
  const clock = createFrozenClock()
  await world.start({}, clock)
  const id = randomUUID()
  const executed = await world.provider.execute(id, 'settle_later')
  world.handOff('submitted', {
    operation_id: id,
    at: clock.now().toISOString(),
    upstream_reference: 'upstreamReference' in executed ? executed.upstreamReference : null,
  })
  await reads(id, 1)
  expect(path(id)).toEqual([])
  await world.provider.settle(id, as)
  clock.setOffsetMs(hourMs)
  await until(() => path(id).length === 1)
  expect(world.transitionsOf(id)[0]).toMatchObject({ sequence: 4, from: 'submitted', event, to, failure_code })
  expect((await evidenceOf(id)).map(({ result }) => result)).toEqual(['found_pending', `found_${to}`])
})

test('an uncertain operation that is pending at the provider is proved submitted, then settles', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const id = randomUUID()
  await world.provider.execute(id, 'settle_later')
  world.handOff('indeterminate', { operation_id: id })
  await until(() => path(id).length === 1)
  expect(world.transitionsOf(id)[0]).toMatchObject({
    event: 'proved_submitted',
    to: 'submitted',
    next_reconcile_at: expect.any(String),
  })
  await world.provider.settle(id, 'succeeded')
  clock.setOffsetMs(hourMs)
  await until(() => path(id).length === 2)
  expect(path(id)[1]).toEqual({ sequence: 5, from: 'submitted', event: 'settled', to: 'succeeded' })
  const times = world.transitionsOf(id).map(({ at }) => at)
  expect(times).toEqual(times.toSorted())
})

test('contradicting evidence makes a submitted operation indeterminate and asks for a review, once', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const id = randomUUID()
  await world.provider.execute(id, 'contradict')
  world.handOff('submitted', { operation_id: id })
  await until(() => path(id).length === 1)
  expect(world.transitionsOf(id)[0]).toMatchObject({
    event: 'result_unclear',
    to: 'indeterminate',
    failure_code: 'provider_evidence_ambiguous',
    reason: expect.stringContaining('ambiguous'),
  })
  expect(await row(id)).toMatchObject({ review: true, review_reason: expect.stringContaining('more than one record') })
  for (let n = 2; n <= 4; n += 1) {
    clock.setOffsetMs(n * 2 * hourMs)
    await reads(id, n)
  }
  expect(path(id)).toHaveLength(1)
})

test('ten reads that do not find it ask for a review and the reads go on; nothing is settled', async () => {
  const clock = createFrozenClock()
  await world.start({}, clock)
  const { operation_id: id } = world.handOff('indeterminate', { at: clock.now().toISOString() })
  for (let n = 1; n <= 12; n += 1) {
    await reads(id, n)
    expect((await row(id))?.review).toBe(n >= 10)
    await until(() => world.planned.filter((read) => read.operation_id === id).length === n)
    clock.setOffsetMs(n * 2 * hourMs)
  }
  expect(path(id)).toEqual([])
  expect((await evidenceOf(id)).length).toBeGreaterThanOrEqual(12)
  expect(world.planned.find((read) => read.operation_id === id)).toMatchObject({
    sequence: 3,
    next_reconcile_at: expect.any(String),
  })
})

test('a provider out of reach is no evidence: the reads go on by the schedule', async () => {
  const clock = createClock()
  await world.start({ PROVIDER_URL: 'http://127.0.0.1:9' }, clock)
  const { operation_id: id } = world.handOff('indeterminate')
  await reads(id, 1)
  clock.setOffsetMs(hourMs)
  await reads(id, 2)
  expect(await evidenceOf(id)).toEqual([])
  expect(await row(id)).toMatchObject({ state: 'indeterminate', not_found: 0, review: false })
})

test('while onboarding is out of reach the schedule does not advance', async () => {
  world.behaviour.onboardingAnswers = false
  await world.start({ CALL_TIMEOUT_MS: '2000', NATS_REQUEST_GRACE_MS: '0' })
  const id = randomUUID()
  await world.provider.execute(id)
  world.handOff('indeterminate', { operation_id: id })
  await until(() => world.planned.some((read) => read.operation_id === id))
  expect(await row(id)).toMatchObject({ reads: 0, state: 'indeterminate' })
  world.behaviour.onboardingAnswers = true
  await until(() => path(id).length === 1)
})

test('a late refusal and a later read that does not find it settle failed', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const { operation_id: id } = world.handOff('indeterminate')
  await reads(id, 1)
  expect(path(id)).toEqual([])
  await world.lateAnswer({
    operation_id: id,
    outcome: 'failed',
    upstream_reference: null,
    resource: null,
    failure_code: 'provider_refused',
    observed_at: new Date().toISOString(),
  })
  await until(() => path(id).length === 1)
  expect(world.transitionsOf(id)[0]).toMatchObject({
    event: 'proved_failed',
    to: 'failed',
    failure_code: 'provider_refused',
    evidence: { result: 'not_found' },
  })
})

test('a late answer that comes before its handoff is kept for it', async () => {
  await world.start()
  const id = randomUUID()
  await world.lateAnswer({
    operation_id: id,
    outcome: 'unsent',
    upstream_reference: null,
    resource: null,
    failure_code: 'provider_unreachable',
    observed_at: new Date().toISOString(),
  })
  world.handOff('indeterminate', { operation_id: id })
  await until(() => path(id).length === 1)
  expect(world.transitionsOf(id)[0]).toMatchObject({ event: 'proved_failed', failure_code: 'provider_unreachable' })
})

test('a read that began before the late refusal came does not settle: another one follows it', async () => {
  const now = new Date()
  // The reconciler looks for due reads only once, at its start. The operation is not due then.
  const { operation_id: id } = world.handOff('indeterminate', {
    next_reconcile_at: new Date(now.getTime() + 60_000).toISOString(),
  })
  await world.start({ DUE_PAUSE_MS: '600000', READ_SLOTS: '1' })
  await until(() => row(id))
  await world.database.rows(
    statement('test_due', 'UPDATE reconciliations SET next_read_at = $2, locked_until = NULL WHERE operation_id = $1'),
    [id, now],
  )
  const locked = (
    await lockDue(world.database, { now, lockedUntil: new Date(now.getTime() + 30_000), limit: 50 })
  ).find((one) => one.operation_id === id)
  if (!locked) throw new Error('not locked')
  await world.lateAnswer({
    operation_id: id,
    outcome: 'failed',
    upstream_reference: null,
    resource: null,
    failure_code: 'provider_refused',
    observed_at: now.toISOString(),
  })
  const decision = validate(locked, { type: 'not_found', read: 'r', observed: 'o' }, unpromised)
  expect(decision.event).toBeNull()
  const reading = toReading(locked, decision, now, (text) => hash('sha256', text, 'base64url'))
  const [settled] = await recordReadings(world.database, [reading], { now, republishAt: now })
  expect(settled?.next_read_at).toEqual(now)
})

test('an operation from a submitter whose clock is an hour ahead is read in time, and its times never fall', async () => {
  await world.start()
  const id = randomUUID()
  await world.provider.execute(id, 'accept_drop_reply')
  const at = new Date(Date.now() + hourMs).toISOString()
  const next_reconcile_at = new Date(Date.now() + hourMs + 1_000).toISOString()
  world.handOff('indeterminate', { operation_id: id, at, next_reconcile_at })
  await until(() => path(id).length === 1)
  expect(world.transitionsOf(id)).toMatchObject([{ to: 'succeeded', at }])
})

test('two reconcilers settle each operation once', async () => {
  await world.start()
  await world.start()
  const ids = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const id = randomUUID()
      await world.provider.execute(id, 'accept_drop_reply')
      world.handOff('indeterminate', { operation_id: id })
      world.handOff('indeterminate', { operation_id: id })
      return id
    }),
  )
  for (const id of ids) await until(() => path(id).length === 1)
  for (const id of ids) {
    expect(await row(id)).toMatchObject({ state: 'succeeded', sequence: 4 })
    expect(await evidenceOf(id)).toHaveLength(1)
  }
})

test('a row that a killed reconciler had locked comes to another, and what the first still writes is refused', async () => {
  const clock = createClock()
  const id = randomUUID()
  await world.provider.execute(id)
  const starting = await world.start({ DUE_PAUSE_MS: '600000' })
  // The read is due in a minute. The reconciler looks only once, at its start, so it does not find this read.
  world.handOff('indeterminate', { operation_id: id, next_reconcile_at: new Date(Date.now() + 60_000).toISOString() })
  await until(() => row(id))
  expect(starting).toBeDefined()
  await world.stopReconcilers()
  clock.setOffsetMs(65_000)
  // Locks the row as a process does that dies after its read: no result is written.
  const now = clock.now()
  const due = await lockDue(world.database, { now, lockedUntil: new Date(now.getTime() + 30_000), limit: 50 })
  const locked = due.find((candidate) => candidate.operation_id === id)
  if (!locked) throw new Error('not locked')
  await world.start({}, clock)
  await pause(300)
  expect(path(id)).toEqual([])
  clock.setOffsetMs(100_000)
  await until(() => path(id).length === 1)
  const shown = { type: 'found', state: 'failed', read: 'r', observed: 'o', upstreamReference: 'u' } as const
  const decision = validate(locked, shown, unpromised)
  const reading = toReading(locked, decision, now, () => 'd')
  expect(await recordReadings(world.database, [reading], { now, republishAt: now })).toEqual([])
  expect(await row(id)).toMatchObject({ state: 'succeeded', sequence: 4 })
})

test('a transition is published until operations has confirmed it, and not afterwards', async () => {
  world.behaviour.confirms = false
  const clock = createClock()
  await world.start({}, clock)
  const copiesOf = (id: string) => world.transitions.filter((one) => one.operation_id === id)
  const settle = async () => {
    const id = randomUUID()
    await world.provider.execute(id)
    world.handOff('indeterminate', { operation_id: id })
    return id
  }
  // Makes every repetition due, and waits until the transition of a new operation has been repeated. Each process
  // publishes in order, so all earlier repetitions of the same background job have arrived by then.
  const sweptLater = async () => {
    clock.setOffsetMs(clock.nowMs() - Date.now() + 60_000)
    const other = await settle()
    await until(() => copiesOf(other).length > 1)
  }
  const id = await settle()
  await until(() => copiesOf(id).length > 2)
  expect(new Set(copiesOf(id).map((one) => JSON.stringify(one))).size).toBe(1)
  world.confirm(id, 4)
  const confirmed = statement('test_confirmed', 'SELECT FROM transitions WHERE operation_id = $1 AND confirmed')
  await until(async () => (await world.database.rows(confirmed, [id])).length === 1)
  await sweptLater()
  const settled = copiesOf(id).length
  await sweptLater()
  expect(copiesOf(id)).toHaveLength(settled)
})

test('a handoff is confirmed only once it is committed', async () => {
  const parts = { bus: await world.connect(), clock: createClock(), log }
  const [lost, taken] = [newHandoff('indeterminate'), newHandoff('indeterminate')]
  const away = { ...parts, db: await world.lostDatabase() }
  await expect(takeOver(away, [{ transitions: [lost] }])).rejects.toThrow(Unavailable)
  await takeOver({ ...parts, db: world.database }, [{ transitions: [taken] }])
  // Confirmations of one process arrive in order.
  const isConfirmed = ({ operation_id: id }: { operation_id: string }) =>
    world.handedOff.some(({ operation_id }) => operation_id === id)
  await until(() => isConfirmed(taken))
  expect(isConfirmed(lost)).toBe(false)
})

test('a late answer that cannot be written is not taken', async () => {
  const proxy = await startPostgresProxy(world.connectionString)
  await world.start({ DATABASE_URL: proxy.connectionString })
  proxy.takeAway()
  const nothing = { upstream_reference: null, resource: null, failure_code: null }
  const answer = { operation_id: randomUUID(), outcome: 'failed', ...nothing, observed_at: new Date().toISOString() }
  await expect(world.lateAnswer(answer as LateAnswer)).rejects.toThrow()
  await world.stopReconcilers()
  await proxy.close()
})

test('one handoff that is bad for good does not hold up those that came with it', async () => {
  await world.start()
  const id = randomUUID()
  await world.provider.execute(id)
  world.handOff('indeterminate', { operation_id: 'no uuid' })
  world.handOff('indeterminate', { operation_id: id })
  await until(() => path(id).length === 1)
})

test.each(['null', '7', '{}', '{"transitions":7}', '{"transitions":[null,7,{"by":"submitter","to":"submitted"}]}'])(
  'a message that says %s does not hold up those that came with it',
  async (text) => {
    await world.start()
    const operation_id = randomUUID()
    // Both messages are published in one write, so that they are taken together.
    world.publish(text)
    world.handOff('indeterminate', { operation_id })
    await until(() => world.handedOff.some((item) => item.operation_id === operation_id))
  },
)

test('evidence cannot be changed or removed', async () => {
  for (const text of ['UPDATE evidence SET result = $$x$$', 'DELETE FROM evidence', 'TRUNCATE evidence'])
    await expect(world.database.rows(statement(`test_${text.slice(0, 6)}`, text))).rejects.toThrow('append-only')
})
