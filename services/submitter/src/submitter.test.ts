/** The guarantees of the submitter, over a real database, bus and provider. */

import { randomUUID } from 'node:crypto'
import { statement } from '@financial-agents/postgres/database'
import { createClock, createFrozenClock, type MovableClock } from '@financial-agents/runtime/clock'
import { createLog } from '@financial-agents/runtime/log'
import { startPostgresProxy } from '@financial-agents/servers/postgres-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { idMadeAt } from './items.test-helper.ts'
import { fenceLock } from './store/claims.ts'
import type { SubmissionRow } from './submission.ts'
import { createWorld, pause, until, untilLeaseIsOverMs, type World } from './world.test-helper.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => {
  await world.stopSubmitters()
  Object.assign(world.behaviour, {
    operations: 'answers',
    onboarding: 'answers',
    confirms: true,
    reconcilerTakesLateAnswers: true,
    refusedLateAnswers: [],
  })
})
afterAll(() => world.close())

const findRow = statement('test_row', 'SELECT * FROM submissions WHERE operation_id = $1')
const row = async (id: string) => (await world.database.rows<SubmissionRow>(findRow, [id]))[0]
const findWaiting = statement('test_waiting', 'SELECT FROM outbox WHERE $1 = ANY(operation_ids)')
/** True if the operation has left the outbox: every consumer has confirmed its events. */
const isConfirmed = async (id: string) => (await world.database.rows(findWaiting, [id])).length === 0
const reaches = (id: string, state: string) => until(async () => (await row(id))?.state === state && row(id))
const path = (id: string) =>
  world.transitionsOf(id).map(({ sequence, from, event, to }) => ({ sequence, from, event, to }))

/** Other test files lock on the same server, as other users. */
const findLockWait = statement(
  'test_waits',
  "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND pid IN (SELECT pid FROM pg_stat_activity WHERE usename = current_user)",
)
const claimWaits = () => until(async () => (await world.database.rows(findLockWait)).length > 0)

const copiesOf = (id: string, sequence?: number) =>
  world.transitions.filter((one) => one.operation_id === id && (sequence === undefined || one.sequence === sequence))

/**
 * Moves the clock until every repetition is due, and waits until the outbox has been swept. The sign of the background job is
 * the event of a new operation: nobody confirms this event, so the background job publishes it again. Each process publishes in
 * order, so all earlier repetitions have arrived by then.
 */
async function sweptLater(clock: MovableClock): Promise<void> {
  const { confirms } = world.behaviour
  world.behaviour.confirms = false
  clock.setOffsetMs(clock.nowMs() - Date.now() + 60_000)
  const { operation_id: id } = world.accept()
  world.submit(id)
  await until(() => copiesOf(id, 3).length > 1)
  world.behaviour.confirms = confirms
}

test('an accepted operation is claimed, submitted with our reference and answered', async () => {
  await world.start()
  const { operation_id: id, accepted_at } = world.accept({ sequence: 4 })
  world.submit(id)
  await until(() => path(id).length === 2)
  expect(path(id)).toEqual([
    { sequence: 5, from: 'accepted', event: 'claim', to: 'submitting' },
    { sequence: 6, from: 'submitting', event: 'provider_completed', to: 'succeeded' },
  ])
  const times = [accepted_at, ...world.transitionsOf(id).map((transition) => transition.at)]
  expect(times).toEqual(times.toSorted())
  expect(world.transitionsOf(id)[1]).toMatchObject({
    by: 'submitter',
    upstream_reference: expect.any(String),
    next_reconcile_at: null,
  })
  expect(await world.provider.ledger(id)).toMatchObject([{ outcome: 'executed' }])
})

test('a message that comes again never submits again, at once or after the outcome', async () => {
  await world.start()
  const { operation_id: id } = world.accept()
  for (let n = 0; n < 20; n += 1) world.submit(id, id)
  await reaches(id, 'succeeded')
  for (let n = 0; n < 5; n += 1) world.submit(id)
  await pause(200)
  expect(await world.provider.ledger(id)).toHaveLength(1)
})

test('two submitters that get the same messages submit each operation once', async () => {
  await world.start()
  await world.start()
  const ids = Array.from({ length: 60 }, () => world.accept().operation_id)
  for (let n = 0; n < 4; n += 1)
    for (let start = 0; start < 60; start += 6) world.submit(...ids.slice(start, start + 6))
  for (const id of ids) await reaches(id, 'succeeded')
  await pause(200)
  for (const id of ids) expect(await world.provider.ledger(id)).toHaveLength(1)
})

test.each(['grant', 'client', 'binding', 'mandate'] as const)(
  'a fenced %s cancels and nothing is sent; unfenced it submits',
  async (target) => {
    await world.start()
    const target_id = randomUUID()
    const changes = { [`${target}_id`]: target_id }
    expect(await world.fence(target, target_id)).toEqual({ open_operation_ids: [] })
    const { operation_id: id } = world.accept(changes)
    world.submit(id)
    await until(() => path(id).length === 1)
    expect(path(id)).toEqual([{ sequence: 2, from: 'accepted', event: 'cancel_before_submission', to: 'cancelled' }])
    expect(world.transitionsOf(id)[0]).toMatchObject({ failure_code: 'authority_withdrawn' })
    await world.unfence(target, target_id)
    const later = world.accept(changes)
    world.submit(id, later.operation_id)
    await reaches(later.operation_id, 'succeeded')
    expect(await world.provider.ledger(id)).toEqual([])
  },
)

test('a protective kind passes the fences of grant and client and is stopped by that of its binding', async () => {
  await world.start()
  const [grant_id, client_id, binding_id] = [randomUUID(), randomUUID(), randomUUID()]
  await world.fence('grant', grant_id)
  await world.fence('client', client_id)
  await world.fence('binding', binding_id)
  const passing = world.accept({ kind: 'mandate_revoke', grant_id, client_id })
  const disconnecting = world.accept({ kind: 'transfer_grant_revoke', grant_id, client_id, binding_id })
  const stopped = world.accept({ kind: 'mandate_revoke', grant_id, client_id, binding_id })
  await world.provider.fault('refuse', disconnecting.operation_id)
  world.submit(passing.operation_id, disconnecting.operation_id, stopped.operation_id)
  // Two operations pass the fences and fail later: one names no mandate, and the provider refuses the other.
  expect(await reaches(passing.operation_id, 'failed')).toMatchObject({ failure_code: 'submission_invalid' })
  expect(await reaches(disconnecting.operation_id, 'failed')).toMatchObject({ failure_code: 'provider_refused' })
  expect(await reaches(stopped.operation_id, 'cancelled')).toMatchObject({ failure_code: 'authority_withdrawn' })
})

test('a fence that commits while a claim waits for it is seen by that claim', async () => {
  await world.start()
  const { operation_id: id, grant_id } = world.accept()
  await world.database.transaction(async (tx) => {
    await tx.rows(statement('test_lock', `SELECT pg_advisory_xact_lock(${fenceLock})`))
    world.submit(id)
    await claimWaits()
    await tx.rows(statement('test_fence', "INSERT INTO fences VALUES ('grant', $1, 'test', '2026-01-01')"), [grant_id])
  })
  await reaches(id, 'cancelled')
  expect(await world.provider.ledger(id)).toEqual([])
})

test('a claim that took too long is not sent any more, and what was surely not sent fails', async () => {
  await world.start({ LEASE_MS: '30000', PROVIDER_TIMEOUT_MS: '29600' })
  const { operation_id: id } = world.accept()
  await world.database.transaction(async (tx) => {
    await tx.rows(statement('test_lock', `SELECT pg_advisory_xact_lock(${fenceLock})`))
    world.submit(id)
    await claimWaits()
    await pause(600)
  })
  expect(await reaches(id, 'failed')).toMatchObject({ failure_code: 'provider_unreachable' })
  expect(await world.provider.ledger(id)).toEqual([])
})

test('the deadline of a submission is never after the end of its authority', async () => {
  const clock = createFrozenClock()
  await world.start({ SUBMISSION_VALIDITY_MS: '600000' }, clock)
  const validFor = async (endsInMs: number) => {
    const authority_ends_at = new Date(clock.nowMs() + endsInMs).toISOString()
    const { operation_id: id } = world.accept({ authority_ends_at })
    world.submit(id)
    await reaches(id, 'succeeded')
    return ((await row(id))?.valid_until?.getTime() ?? 0) - clock.nowMs()
  }
  expect(await validFor(599_999)).toBe(599_999)
  expect(await validFor(600_001)).toBe(600_000)
})

test('a claim that waits beyond the end of its authority is not sent', async () => {
  const clock = createFrozenClock()
  await world.start({}, clock)
  // Its lease goes on: the watchdog would otherwise end it as well.
  const { operation_id: id } = world.accept({ authority_ends_at: new Date(clock.nowMs() + 60_000).toISOString() })
  await world.database.transaction(async (tx) => {
    await tx.rows(statement('test_lock', `SELECT pg_advisory_xact_lock(${fenceLock})`))
    world.submit(id)
    await claimWaits()
    clock.setOffsetMs(60_000)
  })
  expect(await reaches(id, 'failed')).toMatchObject({ failure_code: 'provider_unreachable' })
  expect(await world.provider.ledger(id)).toEqual([])
})

test('a fence names the attempts that were open before it', async () => {
  await world.start()
  const { operation_id: id, grant_id } = world.accept()
  await world.provider.fault('hold', id)
  world.submit(id)
  await reaches(id, 'submitting')
  expect(await world.fence('grant', grant_id)).toEqual({ open_operation_ids: [id] })
  await world.provider.release(id)
  await reaches(id, 'succeeded')
})

test('a kind that nobody knows fails before anything is sent', async () => {
  await world.start()
  const ids = ['loan_create', 'no such kind > *'].map((kind) => world.accept({ kind }).operation_id)
  world.submit(...ids)
  for (const id of ids) {
    await reaches(id, 'failed')
    await until(() => path(id).length === 1)
    expect(await row(id)).toMatchObject({
      failure_code: 'operation_kind_unsupported',
      outcome_event: 'fail_before_submission',
    })
  }
})

test('a provider that refuses the connection proves that nothing was sent', async () => {
  await world.start({ PROVIDER_URL: 'http://127.0.0.1:9' })
  const { operation_id: id } = world.accept()
  world.submit(id)
  await until(() => path(id).length === 2)
  expect(world.transitionsOf(id)[1]).toMatchObject({
    event: 'provider_refused',
    to: 'failed',
    failure_code: 'provider_unreachable',
  })
})

test.each([
  ['refuse', {}, 'failed', 'provider_refused', 'provider_refused'],
  ['accept_drop_reply', {}, 'indeterminate', 'outcome_unknown', 'provider_connection_lost'],
  ['drop_before_accept', {}, 'indeterminate', 'outcome_unknown', 'provider_connection_lost'],
  ['slow', { delay_ms: 30_000 }, 'indeterminate', 'outcome_unknown', 'provider_timeout'],
  ['never_settle', {}, 'submitted', 'provider_accepted', null],
])('a provider that does %s', async (script, options, state, event, failure_code) => {
  await world.start(script === 'slow' ? { PROVIDER_TIMEOUT_MS: '3000' } : {})
  // The connection is there, so that it takes nothing of the time-out.
  const first = world.accept().operation_id
  world.submit(first)
  await until(() => path(first).length === 2)
  const { operation_id: id } = world.accept()
  await world.provider.fault(script, id, options)
  world.submit(id)
  await until(() => path(id).length === 2)
  const outcome = world.transitionsOf(id)[1]
  expect(outcome).toMatchObject({ to: state, event, failure_code })
  const plannedMs = state === 'failed' ? null : Date.parse(outcome?.at ?? '') + 1_000
  expect(outcome?.next_reconcile_at).toBe(plannedMs === null ? null : new Date(plannedMs).toISOString())
  await expect.poll(() => world.provider.ledger(id)).toHaveLength(1)
})

test('an attempt without an outcome becomes indeterminate, and its late answer reaches the reconciler', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const { operation_id: id } = world.accept()
  await world.provider.fault('hold', id)
  world.behaviour.reconcilerTakesLateAnswers = false
  world.submit(id)
  await reaches(id, 'submitting')
  clock.setOffsetMs(untilLeaseIsOverMs)
  await until(() => path(id).length === 2)
  expect(world.transitionsOf(id)[1]).toMatchObject({
    event: 'lease_expired',
    to: 'indeterminate',
    failure_code: 'attempt_interrupted',
  })
  await world.provider.release(id)
  // The reconciler refuses the late answer at first. The submitter keeps it and sends it again.
  await until(() => world.lateAnswers.filter((answer) => answer.operation_id === id).length > 1)
  world.behaviour.reconcilerTakesLateAnswers = true
  await until(async () => (await row(id))?.late_answer_delivered)
  expect(world.lateAnswers.findLast((answer) => answer.operation_id === id)).toMatchObject({
    outcome: 'succeeded',
    upstream_reference: expect.any(String),
    failure_code: null,
  })
  expect(await row(id)).toMatchObject({ state: 'indeterminate', sequence: 3 })
})

test('a late answer that the reconciler refuses holds up no other', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const ids = Array.from({ length: 3 }, () => world.accept().operation_id).toSorted()
  for (const id of ids) await world.provider.fault('hold', id)
  world.behaviour.refusedLateAnswers = ids.slice(0, 1)
  world.submit(...ids)
  for (const id of ids) await reaches(id, 'submitting')
  clock.setOffsetMs(untilLeaseIsOverMs)
  for (const id of ids) await reaches(id, 'indeterminate')
  for (const id of ids) await world.provider.release(id)
  for (const id of ids.slice(1)) await until(async () => (await row(id))?.late_answer_delivered)
  expect(await row(ids[0] as string)).toMatchObject({ late_answer_delivered: false })
})

test.each(['operations', 'onboarding'] as const)(
  'while %s is out of reach nothing is cancelled and nothing sent',
  async (who) => {
    world.behaviour[who] = 'silent'
    await world.start({ CALL_TIMEOUT_MS: '2000', NATS_REQUEST_GRACE_MS: '0' })
    const { operation_id: id } = world.accept()
    world.submit(id)
    await pause(2_500)
    expect(await row(id)).toBeUndefined()
    expect(await world.provider.ledger(id)).toEqual([])
    world.behaviour[who] = 'answers'
    await reaches(id, 'succeeded')
  },
)

test('a binding without credentials delays, and its fence cancels', async () => {
  world.behaviour.onboarding = 'has none'
  await world.start()
  const { operation_id: id, binding_id } = world.accept()
  world.submit(id)
  await pause(400)
  expect(await row(id)).toBeUndefined()
  await world.fence('binding', binding_id)
  await reaches(id, 'cancelled')
})

test('credentials that the provider refused are not used for the next operation', async () => {
  await world.start()
  const binding_id = randomUUID()
  world.behaviour.onboarding = 'has former ones'
  const refused = world.accept({ binding_id }).operation_id
  world.submit(refused)
  expect(await reaches(refused, 'failed')).toMatchObject({ failure_code: 'provider_authentication_failed' })
  world.behaviour.onboarding = 'answers'
  const next = world.accept({ binding_id }).operation_id
  world.submit(next)
  await reaches(next, 'succeeded')
})

test('an operation that is no longer accepted, or that operations does not know, is left alone', async () => {
  await world.start()
  const { operation_id: id } = world.accept({ state: 'cancelled', payload_sealed: null })
  const unknown = randomUUID()
  world.submit(id, unknown)
  await pause(300)
  expect([await row(id), await row(unknown)]).toEqual([undefined, undefined])
})

test('events are published again until operations and reconciler have confirmed, and not afterwards', async () => {
  world.behaviour.confirms = false
  const clock = createClock()
  await world.start({}, clock)
  const { operation_id: id } = world.accept()
  await world.provider.fault('never_settle', id)
  const copies = (sequence: number) => copiesOf(id, sequence).length
  world.submit(id)
  await until(() => copies(2) > 2 && copies(3) > 2)
  expect(new Set(copiesOf(id, 3).map((one) => JSON.stringify(one))).size).toBe(1)
  world.confirm('operations', id, 3)
  // A background job that began before the confirmation arrived may still publish once.
  const isQuiet = async (sequence: number) => {
    const before = copies(sequence)
    await sweptLater(clock)
    return copies(sequence) === before
  }
  const outcomes = copies(3)
  while (!(await isQuiet(2))) {}
  // The reconciler still has to hear of the transition that hands the pen over.
  await until(() => copies(3) > outcomes)
  world.confirm('reconciler', id, 3)
  await until(() => isConfirmed(id))
  while (!(await isQuiet(3))) {}
})

test('operations that lost what it had confirmed, and offers the operation again, is notified again; nothing is sent', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const { operation_id: id } = world.accept()
  const confirmed = async () => {
    await reaches(id, 'succeeded')
    await until(() => isConfirmed(id))
  }
  world.submit(id)
  await confirmed()
  // While a claim takes long, operations offers the operation again. After such an offer the submitter publishes the
  // events again, too.
  await world.quiet()
  await sweptLater(clock)
  await confirmed()
  await sweptLater(clock)
  const before = copiesOf(id).length
  await sweptLater(clock)
  expect(copiesOf(id)).toHaveLength(before)
  world.submit(id)
  const again = () => copiesOf(id).slice(before)
  await until(() => [2, 3].every((sequence) => again().some((one) => one.sequence === sequence)))
  await confirmed()
  expect(await world.provider.ledger(id)).toHaveLength(1)
})

test('what was made or accepted before the recovery point and has no row becomes indeterminate and is never sent', async () => {
  const point = new Date('2026-06-01T00:00:00.000Z')
  const setPoint = statement('test_recovery_point', 'UPDATE witness SET recovery_point = $1')
  await world.database.rows(setPoint, [point])
  await world.start()
  const grant_id = randomUUID()
  await world.fence('grant', grant_id)
  const earlier = new Date(point.getTime() - 1)
  const [old, young] = [{ accepted_at: earlier.toISOString() }, { accepted_at: point.toISOString() }]
  const before = world.accept({ ...old, operation_id: idMadeAt(earlier) })
  const fenced = world.accept({ ...old, operation_id: idMadeAt(earlier), grant_id })
  // This operation waited for an approval when the backup was made. It may have been approved and sent before this
  // acceptance.
  const again = world.accept({ ...young, operation_id: idMadeAt(earlier) })
  const after = world.accept({ ...young, operation_id: idMadeAt(point) })
  world.submit(before.operation_id, fenced.operation_id, again.operation_id, after.operation_id)
  for (const { operation_id: id } of [before, fenced, again]) {
    await until(() => path(id).length === 2)
    expect(path(id)).toEqual([
      { sequence: 2, from: 'accepted', event: 'claim', to: 'submitting' },
      { sequence: 3, from: 'submitting', event: 'lease_expired', to: 'indeterminate' },
    ])
    expect(await world.provider.ledger(id)).toEqual([])
  }
  await reaches(after.operation_id, 'succeeded')
  await world.database.rows(setPoint, [null])
})

test('a stop waits for the calls in flight and writes their outcomes', async () => {
  const submitter = await world.start()
  const { operation_id: id } = world.accept()
  await world.provider.fault('hold', id)
  world.submit(id)
  await reaches(id, 'submitting')
  const stopped = world.stopSubmitters()
  await pause(200)
  expect(await row(id)).toMatchObject({ state: 'submitting' })
  await world.provider.release(id)
  await stopped
  expect(await row(id)).toMatchObject({ state: 'succeeded' })
  expect(submitter).toBeDefined()
})

test('no more calls are made at once than there are slots', async () => {
  await world.start({ CALL_SLOTS: '2' })
  const ids = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { operation_id: id } = world.accept()
      await world.provider.fault('hold', id)
      return id
    }),
  )
  world.submit(...ids)
  let waiting = ids
  const held = async () => {
    const arrived = await Promise.all(waiting.map(async (id) => (await world.provider.ledger(id)).length > 0))
    return waiting.filter((_id, index) => arrived[index])
  }
  while (waiting.length > 0) {
    await until(async () => (await held()).length >= Math.min(2, waiting.length))
    await pause(100)
    const [first = '', ...others] = await held()
    expect(others.length).toBeLessThanOrEqual(1)
    await world.provider.release(first)
    waiting = waiting.filter((id) => id !== first)
  }
  for (const id of ids) await reaches(id, 'succeeded')
})

test('a claim whose commit was not answered does not win: the provider is not called, whatever became of the commit', async () => {
  const proxy = await startPostgresProxy(world.connectionString)
  const { checks } = await world.start({
    DATABASE_URL: proxy.connectionString,
    LEASE_MS: '1500',
    PROVIDER_TIMEOUT_MS: '1000',
  })
  await until(() =>
    checks['witness']?.().then(
      () => true,
      () => false,
    ),
  )
  // Operations of earlier tests that were offered again have committed by now.
  await world.quiet()
  const { operation_id: id } = world.accept()
  proxy.arm('after_commit')
  world.submit(id)
  // The commit went through, so the row is there and only the watchdog may end it.
  await until(() => path(id).length === 2)
  expect(world.transitionsOf(id).at(-1)).toMatchObject({ event: 'lease_expired', to: 'indeterminate' })
  expect(await world.provider.ledger(id)).toEqual([])
  await world.stopSubmitters()
  await proxy.close()
})

test('an outcome that cannot be written is tried again for as long as the database is away', async () => {
  const proxy = await startPostgresProxy(world.connectionString)
  let failures = 0
  const write = (line: string) => void (failures += line.includes('outcomes were not written') ? 1 : 0)
  const log = createLog({ service: 'test', level: 'warn', destination: { write } })
  await world.start({ DATABASE_URL: proxy.connectionString }, createClock(), log)
  const { operation_id: id } = world.accept()
  await world.provider.fault('hold', id)
  world.submit(id)
  await reaches(id, 'submitting')
  proxy.takeAway()
  await world.provider.release(id)
  await until(() => failures > 2)
  proxy.bringBack()
  await reaches(id, 'succeeded')
  await world.stopSubmitters()
  await proxy.close()
})

test('a bus that comes back with its store wiped loses nothing', async () => {
  await world.start()
  const { operation_id: id } = world.accept()
  await world.provider.fault('hold', id)
  world.submit(id)
  await reaches(id, 'submitting')
  await world.wipeBus()
  await world.provider.release(id)
  await reaches(id, 'succeeded')
  await until(() => isConfirmed(id))
  expect(path(id)).toHaveLength(2)
  const next = world.accept()
  world.submit(next.operation_id)
  await reaches(next.operation_id, 'succeeded')
})

test('submission rows cannot be removed', async () => {
  for (const text of ['DELETE FROM submissions', 'TRUNCATE submissions'])
    await expect(world.database.rows(statement(`test_${text.slice(0, 6)}`, text))).rejects.toThrow('permanent')
})
