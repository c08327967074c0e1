import { statement } from '@financial-agents/postgres/database'
import {
  dataOf,
  newPrincipal,
  problemOf,
  transition,
  untilPendingIsPulledMs,
} from '@financial-agents/testkit/test-service'
import { settleUnheard } from '@financial-agents/writes/testing/stub-operations'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { goodBody, startStack } from './started.test-helper.ts'

const stack = await startStack()
afterAll(() => stack.stop())
beforeEach(() => {
  stack.operations.beforeAnswer = async () => {}
  stack.clock.setOffsetMs(0)
})

const eventually = { timeout: 120_000, interval: 25 }

async function created() {
  const principal = newPrincipal()
  const operation = dataOf(await stack.create(principal, goodBody()))
  const state = async () => dataOf(await stack.get(principal, operation.resource_id)).state
  return { principal, operation, state }
}

/** Waits until all events published earlier have been applied. */
async function settled() {
  const { operation, state } = await created()
  stack.publish([transition({ operation_id: operation.id, to: 'succeeded' })])
  await vi.waitFor(async () => expect(await state()).toBe('active'), eventually)
}

test.each([
  ['succeeded', 'active'],
  ['failed', 'failed'],
  ['cancelled', 'failed'],
] as const)('an operation that %s makes its beneficiary %s', async (to, wanted) => {
  const { operation, state } = await created()
  stack.publish([transition({ operation_id: operation.id, to })])
  await vi.waitFor(async () => expect(await state()).toBe(wanted), eventually)
})

test.each(['submitting', 'submitted', 'indeterminate'] as const)('%s activates nothing', async (to) => {
  const { operation, state } = await created()
  stack.publish([transition({ operation_id: operation.id, to })])
  await settled()
  expect(await state()).toBe('pending')
})

test('events that come late, twice and out of order leave the beneficiary at the highest sequence', async () => {
  const { operation, state } = await created()
  const claim = transition({ operation_id: operation.id, sequence: 2, to: 'submitting' })
  const outcome = transition({ operation_id: operation.id, sequence: 3, to: 'succeeded' })
  stack.publish([outcome, claim, outcome])
  await vi.waitFor(async () => expect(await state()).toBe('active'), eventually)
  stack.publish([claim])
  await settled()
  expect(await state()).toBe('active')
  stack.publish([outcome])
  await settled()
  expect(await state()).toBe('active')
})

test('an event of an undecided draft shows that it was accepted', async () => {
  const principal = newPrincipal()
  stack.operations.beforeAnswer = stack.lostAnswers.lose
  expect(problemOf(await stack.create(principal, goodBody())).code).toBe('acceptance_unknown')
  const draft = (await stack.rows()).find((row) => row.owner_id === principal.owner_id)
  stack.publish([transition({ operation_id: draft?.operation_id ?? '', to: 'submitting' })])
  await vi.waitFor(
    async () => expect((await stack.list(principal)).items.map((item) => item.state)).toEqual(['pending']),
    eventually,
  )
})

test('the time of the last change is the operation’s, and never goes back', async () => {
  const { principal, operation, state } = await created()
  const at = new Date(Date.now() + 5_000).toISOString()
  stack.publish([transition({ operation_id: operation.id, to: 'succeeded', at })])
  await vi.waitFor(async () => expect(await state()).toBe('active'), eventually)
  expect(dataOf(await stack.get(principal, operation.resource_id)).updated_at).toBe(at)
})

test('an event that is bad for good is parked and holds up no other', async () => {
  const { operation, state } = await created()
  stack.publishRaw('beneficiary_create', { transitions: [{ operation_id: 'no-uuid', sequence: 2, to: 'succeeded' }] })
  stack.publishRaw('beneficiary_create', { nothing: '\u0000' })
  stack.publish([
    transition({ operation_id: operation.id, to: 'nowhere' as never }),
    transition({ operation_id: operation.id, to: 'succeeded' }),
  ])
  await vi.waitFor(async () => expect(await state()).toBe('active'), eventually)
  expect(await stack.db.rows(statement('test_parked', 'SELECT FROM parked_events'))).toHaveLength(3)
})

test('an event of an operation that is not ours changes nothing', async () => {
  const before = await stack.rows()
  stack.publish([transition({ to: 'succeeded' })])
  await settled()
  expect((await stack.rows()).slice(0, before.length)).toEqual(before)
})

test('a pending beneficiary whose events were lost is pulled from operations, without a read', async () => {
  const { operation } = await created()
  const stored = async () => {
    const one = statement('stored_state', 'SELECT state FROM beneficiaries WHERE id = $1')
    return (await stack.db.rows<{ state: string }>(one, [operation.resource_id]))[0]?.state
  }
  settleUnheard(stack.operations, operation.id, 'succeeded')
  await settled()
  expect(await stored()).toBe('pending')
  stack.clock.setOffsetMs(untilPendingIsPulledMs + 1_000)
  await vi.waitFor(async () => expect(await stored()).toBe('active'), eventually)
})
