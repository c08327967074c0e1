/** Every kind against the real provider: what its read proves, what it does not, and that age settles nothing. */

import { randomUUID } from 'node:crypto'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import { type OperationKind, operationKinds } from '@financial-agents/contract/kinds'
import { statement } from '@financial-agents/postgres/database'
import type { SubmissionTarget, SubmitOutcome } from '@financial-agents/provider-port/port'
import { createClock, type MovableClock } from '@financial-agents/runtime/clock'
import { byKind, kindsOracle, kindsThat } from '@financial-agents/testkit/kinds-oracle'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createWorld, until, type World } from './world.test-helper.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterEach(async () => {
  await world.stopReconcilers()
  await world.database.rows(park)
})
afterAll(() => world.close())

const hourMs = 3_600_000
const dayMs = 24 * hourMs
// Parks the operations that a test left open, so that the next test does not read them.
const park = statement('test_park', "UPDATE reconciliations SET next_read_at = 'infinity' WHERE settled_at IS NULL")
const findRow = statement('test_row', 'SELECT * FROM reconciliations WHERE operation_id = $1')
const findEvidence = statement('test_evidence', 'SELECT * FROM evidence WHERE operation_id = $1 ORDER BY number')
type Row = { state: string; reads: number; review: boolean; review_reason: string | null; next_read_at: Date | null }
const row = async (id: string) => (await world.database.rows<Row>(findRow, [id]))[0]
const evidenceOf = (id: string) =>
  world.database.rows<{ read: string; result: string; observed_at: Date }>(findEvidence, [id])

type KindCase = {
  kind: OperationKind
  id: string
  bindingId: string
  target: SubmissionTarget | undefined
  outcome: SubmitOutcome
}

/** One operation of each kind, submitted under the fault. */
function executeEach(script?: string, options: object = {}, kinds: readonly OperationKind[] = operationKinds) {
  return Promise.all(
    kinds.map(async (kind): Promise<KindCase> => {
      const [id, bindingId] = [randomUUID(), randomUUID()]
      const target = await world.provider.makeTarget(kind, bindingId)
      const outcome = await world.provider.execute(id, script, { options, kind, bindingId, target })
      return { kind, id, bindingId, target, outcome }
    }),
  )
}

function handOff({ kind, id, bindingId, target, outcome }: KindCase, to: 'submitted' | 'indeterminate'): void {
  const upstream_reference = 'upstreamReference' in outcome ? outcome.upstreamReference : null
  const target_reference = target?.upstreamReference ?? null
  const changes = { operation_id: id, kind, binding_id: bindingId, target_reference, upstream_reference }
  world.handOff(to, changes)
}

/** Waits until each operation has made `count` moves. Returns what `look` returns for the last move, by kind. */
async function moves(
  made: readonly KindCase[],
  count: number,
  look: (last: OperationTransition, one: KindCase) => unknown,
): Promise<Record<string, unknown>> {
  const entries = made.map(async (one) => {
    await until(() => world.transitionsOf(one.id).length >= count)
    const transitions = world.transitionsOf(one.id)
    expect([one.kind, transitions.length]).toEqual([one.kind, count])
    return [one.kind, look(transitions.at(-1) as OperationTransition, one)] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Waits until each operation has been read `count` times. */
async function readTimes(made: readonly KindCase[], count: number): Promise<void> {
  for (const { id } of made) await until(async () => ((await row(id))?.reads ?? 0) >= count)
}

/** Lets the operations be read `times` times, and moves the clock by hours each time. */
async function readOften(made: readonly KindCase[], clock: MovableClock, times: number): Promise<void> {
  for (let n = 1; n <= times; n += 1) {
    await readTimes(made, n)
    clock.setOffsetMs(n * 2 * hourMs)
  }
}

test('a lost answer is settled by the read that proves its kind, with what the provider knows of the resource', async () => {
  await world.start()
  const made = await executeEach('accept_drop_reply')
  for (const one of made) handOff(one, 'indeterminate')
  const seen = await moves(made, 1, (last, { target }) => {
    expect(last.target_reference).toBe(target?.upstreamReference ?? null)
    expect(last).toMatchObject({ upstream_reference: expect.any(String), failure_code: null, reason: null })
    expect(last.evidence?.digest).toMatch(/^[\w-]{43}$/)
    const { read, result } = last.evidence ?? {}
    return [last.event, last.to, read, result, last.resource ? Object.keys(last.resource).toSorted() : null]
  })
  expect(seen).toEqual(
    byKind(({ provedBy, reports }) => ['proved_succeeded', 'succeeded', provedBy, 'found_succeeded', reports]),
  )
  for (const { kind, id } of made)
    expect(await evidenceOf(id)).toMatchObject([{ read: kindsOracle[kind].provedBy, result: 'found_succeeded' }])
})

test.each([
  ['succeeded', 'settled', 'succeeded', null],
  ['failed', 'settlement_failed', 'failed', 'provider_settlement_failed'],
] as const)('what was acknowledged and settles as %s is %s, whatever its kind', async (as, event, to, failure_code) => {
  const clock = createClock()
  await world.start({}, clock)
  const made = await executeEach('settle_later')
  for (const one of made) handOff(one, 'submitted')
  await readTimes(made, 1)
  for (const { id } of made) await world.provider.settle(id, as)
  clock.setOffsetMs(hourMs)
  const seen = await moves(made, 1, (last) => [last.event, last.to, last.failure_code, last.evidence?.read])
  expect(seen).toEqual(byKind(({ provedBy }) => [event, to, failure_code, provedBy]))
  const card = made.find(({ kind }) => kind === 'card_create')
  const reported = world.transitionsOf(card?.id ?? '').at(-1)?.resource
  expect(reported).toEqual(to === 'succeeded' ? { brand: expect.any(String), last_four: expect.any(String) } : null)
})

test('what never settles stays submitted, read by the schedule, also after 400 days', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const made = await executeEach('never_settle')
  for (const one of made) handOff(one, 'submitted')
  const planSeconds = [1, 2, 5, 15, 60, 300, 900, 3_600, 3_600, 3_600]
  await readOften(made, clock, planSeconds.length - 1)
  for (const { kind, id } of made) {
    const planned = await until(() => {
      const reads = world.planned.filter((read) => read.operation_id === id)
      return reads.length >= planSeconds.length - 1 && reads
    })
    const evidence = await evidenceOf(id)
    planSeconds.slice(1).forEach((seconds, index) => {
      const at = evidence[index]?.observed_at.getTime() ?? 0
      const pauseMs = Date.parse(planned[index]?.next_reconcile_at ?? '') - at
      expect([kind, index, Math.abs(pauseMs / 1_000 / seconds - 1) <= 0.2]).toEqual([kind, index, true])
    })
  }
  await expectOpenAfterAYear(made, clock, { state: 'submitted', review: false })
})

test('what was acknowledged and is no longer shown is indeterminate, whatever its kind; shown again, it settles', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const made = await executeEach('vanish')
  for (const one of made) handOff(one, 'submitted')
  await readOften(made, clock, 2)
  const unclear = await moves(made, 1, (last) => [last.event, last.to, last.failure_code, last.evidence?.result])
  expect(unclear).toEqual(byKind(() => ['result_unclear', 'indeterminate', 'provider_record_missing', 'not_found']))
  for (const { id } of made) {
    expect(await row(id)).toMatchObject({ state: 'indeterminate', review: true, next_read_at: expect.any(Date) })
    await world.provider.settle(id, 'succeeded')
  }
  clock.setOffsetMs(400 * dayMs)
  const settled = await moves(made, 2, (last) => [last.event, last.to, last.failure_code, last.evidence?.read])
  expect(settled).toEqual(byKind(({ provedBy }) => ['proved_succeeded', 'succeeded', null, provedBy]))
})

test('what the provider does not show stays indeterminate: an operator is asked after ten reads, and 400 days end nothing', async () => {
  const clock = createClock()
  await world.start({}, clock)
  const made = await executeEach('drop_before_accept')
  for (const one of made) handOff(one, 'indeterminate')
  await readOften(made, clock, 9)
  await readTimes(made, 10)
  for (const { kind, id } of made) {
    const reviewed = await until(async () => (await row(id))?.review && row(id))
    expect(reviewed.review_reason).toMatch(/^not found by \d+ reads$/)
    const evidence = await evidenceOf(id)
    expect(evidence.slice(0, 10).map(({ read, result }) => [read, result])).toEqual(
      Array.from({ length: 10 }, () => [kindsOracle[kind].provedBy, 'not_found']),
    )
  }
  await expectOpenAfterAYear(made, clock, { state: 'indeterminate', review: true })
})

/** Expects that the operations are still read hourly more than a year later, and that none of them has moved. */
async function expectOpenAfterAYear(
  made: readonly KindCase[],
  clock: MovableClock,
  expected: Partial<Row>,
): Promise<void> {
  const before = new Map<string, number>()
  for (const { id } of made) before.set(id, (await row(id))?.reads ?? 0)
  clock.setOffsetMs(400 * dayMs)
  for (const { id } of made) {
    const read = await until(async () => {
      const now = await row(id)
      return (now?.reads ?? 0) > (before.get(id) ?? 0) && now
    })
    expect(read).toMatchObject(expected)
    const aheadMs = (read.next_read_at?.getTime() ?? 0) - clock.nowMs()
    expect(aheadMs).toBeLessThanOrEqual(1.2 * hourMs)
    expect(world.transitionsOf(id)).toEqual([])
  }
}

test.each(['two_records', 'reopened'])(
  'a provider that contradicts itself (%s) settles nothing of any kind: an operator looks',
  async (contradiction) => {
    const clock = createClock()
    await world.start({}, clock)
    const made = await executeEach('contradict', { contradiction })
    for (const one of made) handOff(one, 'submitted')
    const seen = await moves(made, 1, (last) => [last.event, last.to, last.failure_code, last.evidence?.read])
    expect(seen).toEqual(
      byKind(({ provedBy }) => ['result_unclear', 'indeterminate', 'provider_evidence_ambiguous', provedBy]),
    )
    clock.setOffsetMs(400 * dayMs)
    await readTimes(made, 2)
    for (const { id } of made) {
      expect(await row(id)).toMatchObject({ state: 'indeterminate', review: true })
      expect(world.transitionsOf(id)).toHaveLength(1)
    }
  },
)

test('a lost request whose end only it leads to is proved by the state of what it named', async () => {
  await world.start()
  const ends = kindsThat(({ isProvedByState }) => isProvedByState)
  const made = await executeEach('drop_before_accept', {}, ends)
  // Another request has ended the same target.
  for (const { kind, bindingId, target } of made)
    await world.provider.execute(randomUUID(), undefined, { kind, bindingId, target })
  for (const one of made) handOff(one, 'indeterminate')
  const seen = await moves(made, 1, (last) => [last.event, last.to, last.evidence?.read])
  expect(seen).toEqual(
    Object.fromEntries(ends.map((kind) => [kind, ['proved_succeeded', 'succeeded', kindsOracle[kind].provedBy]])),
  )
})

test('a late success is kept and wakes a read; the facts of the transition are those of the read', async () => {
  await world.start()
  const [card] = await executeEach('settle_later', {}, ['card_create'])
  if (card === undefined || !('upstreamReference' in card.outcome)) throw new Error('the card was not made')
  handOff(card, 'indeterminate')
  await until(() => world.transitionsOf(card.id).length === 1)
  await world.provider.settle(card.id, 'succeeded')
  await world.lateAnswer({
    operation_id: card.id,
    outcome: 'succeeded',
    upstream_reference: card.outcome.upstreamReference,
    resource: { brand: 'made up', last_four: '0000' },
    failure_code: null,
    observed_at: new Date().toISOString(),
  })
  await until(() => world.transitionsOf(card.id).length === 2)
  const settled = world.transitionsOf(card.id)[1]
  expect(settled).toMatchObject({ event: 'settled', upstream_reference: card.outcome.upstreamReference })
  expect(settled?.resource?.['brand']).toMatch(/^(visa|mastercard)$/)
  const kept = statement('test_late', 'SELECT resource FROM late_answers WHERE operation_id = $1')
  expect(await world.database.rows(kept, [card.id])).toEqual([{ resource: { brand: 'made up', last_four: '0000' } }])
})
