import { randomUUID } from 'node:crypto'
import {
  dataOf,
  newPrincipal,
  problemOf,
  transition,
  untilDraftsAreDecidedMs,
  untilPendingIsPulledMs,
} from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { eventually, goodBody, rowOf, startStack } from '../started.test-helper.ts'

const stack = await startStack({ replicas: 2 })
afterAll(() => stack.stop())
beforeEach(() => {
  stack.operations.beforeAccept = async () => {}
  stack.operations.beforeAnswer = async () => {}
  stack.clock.setOffsetMs(0)
})

test('a card is pending with its operation, and what the provider tells of it is shown once it is made', async () => {
  const principal = newPrincipal()
  const operation = dataOf(await stack.create(principal))
  expect(operation).toMatchObject({ kind: 'card_create', resource_type: 'card', state: 'accepted' })
  const pending = await stack.cardOf(principal, operation.resource_id)
  expect(pending).toEqual({
    id: operation.resource_id,
    label: 'Travel',
    type: 'virtual',
    currency: 'EUR',
    brand: null,
    last_four: null,
    state: 'pending',
    pending_operation_id: operation.id,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const at = new Date(Date.now() + 5_000).toISOString()
  const made = { at, upstream_reference: 'theirs', resource: { brand: 'visa', last_four: '4021' } }
  const active = await stack.settle(principal, operation, 'succeeded', made)
  const facts = { state: 'active', brand: 'visa', last_four: '4021', pending_operation_id: null }
  expect(active).toEqual({ ...pending, ...facts, updated_at: at })
  expect((await rowOf(stack, operation.resource_id))?.upstream_reference).toBe('theirs')
})

test.each(['failed', 'cancelled'] as const)('a creation that %s makes its card failed', async (to) => {
  const principal = newPrincipal()
  const operation = dataOf(await stack.create(principal))
  expect(await stack.settle(principal, operation, to)).toMatchObject({ state: 'failed', brand: null })
})

test('the submitter is given the body in the contract’s words, sealed, and names no card of the provider', async () => {
  const principal = newPrincipal()
  const operation = dataOf(await stack.create(principal, { type: 'physical', currency: 'USD' }))
  const asked = stack.operations.asked.find((request) => request.operation_id === operation.id)
  expect(asked).toMatchObject({ kind: 'card_create', target_reference: null, mandate_id: null, confirmation: null })
  const plain = stack.payloadSealer.open(Buffer.from(asked?.payload_sealed ?? '', 'base64'), operation.id)
  expect(JSON.parse(plain.toString())).toEqual({ label: null, type: 'physical', currency: 'USD' })
})

test('facts that the contract cannot show are left out, and the card is active all the same', async () => {
  const principal = newPrincipal()
  const operation = dataOf(await stack.create(principal))
  const resource = { brand: '', last_four: '12345' }
  const card = await stack.settle(principal, operation, 'succeeded', { upstream_reference: 'r', resource })
  expect(card).toMatchObject({ state: 'active', brand: null, last_four: null })
})

test('a card whose events were lost is pulled from operations with what the provider reported', async () => {
  const principal = newPrincipal()
  const operation = dataOf(await stack.create(principal))
  const live = stack.operations.operations.get(operation.id)
  if (live) live.state = 'succeeded'
  const resource = { brand: 'visa', last_four: '4444' }
  stack.operations.facts.set(operation.id, { upstream_reference: 'theirs', resource })
  stack.clock.setOffsetMs(untilPendingIsPulledMs + 1_000)
  await vi.waitFor(
    async () =>
      expect(await stack.cardOf(principal, operation.resource_id)).toMatchObject({ state: 'active', ...resource }),
    eventually,
  )
})

test('an undecided card is in no read; void, it is gone for good', async () => {
  const principal = newPrincipal()
  stack.operations.beforeAccept = stack.lostAnswers.lose
  expect(problemOf(await stack.create(principal)).code).toBe('acceptance_unknown')
  expect((await stack.list(principal)).items).toEqual([])
  const draft = stack.operations.asked.at(-1)?.resource_id ?? ''
  expect(problemOf(await stack.get(principal, draft)).code).toBe('card_not_found')
  expect(problemOf(await stack.change('freeze', principal, draft)).code).toBe('card_not_found')
  stack.operations.beforeAccept = async () => {}
  stack.clock.setOffsetMs(untilDraftsAreDecidedMs + 1_000)
  await vi.waitFor(async () => expect((await rowOf(stack, draft))?.state).toBe('void'), eventually)
  expect((await stack.list(principal)).items).toEqual([])
})

test('an outcome that comes before the answer to its acceptance carries the draft all the way', async () => {
  const principal = newPrincipal()
  stack.operations.beforeAnswer = async ({ operation_id, kind }) => {
    const resource = { brand: 'visa', last_four: '4021' }
    stack.publish(kind, [
      transition({ operation_id, kind, sequence: 3, to: 'succeeded', upstream_reference: 'r', resource }),
    ])
    await vi.waitFor(
      async () => expect((await stack.list(principal)).items).toMatchObject([{ state: 'active' }]),
      eventually,
    )
  }
  const operation = dataOf(await stack.create(principal))
  expect(await stack.cardOf(principal, operation.resource_id)).toMatchObject({ state: 'active', last_four: '4021' })
})

test('fifty equal requests at two replicas are one card', async () => {
  const principal = newPrincipal()
  const key = randomUUID()
  const replies = await Promise.all(Array.from({ length: 50 }, () => stack.create(principal, goodBody(), key)))
  expect(new Set(replies.map((reply) => dataOf(reply).id)).size).toBe(1)
  expect((await stack.list(principal)).items).toHaveLength(1)
})

test('control characters in the label are refused with its path, and nothing is written', async () => {
  const principal = newPrincipal()
  for (const label of ['a\u0000', 'a\u0007', '\ud800']) {
    const problem = problemOf(await stack.create(principal, goodBody({ label })))
    expect(problem).toMatchObject({ code: 'validation_failed', fields: [{ path: 'label' }] })
  }
  expect((await stack.list(principal)).items).toEqual([])
})

test.each([
  ['no type', { type: undefined }, 'type'],
  ['another type', { type: 'golden' }, 'type'],
  ['a label that is too long', { label: 'x'.repeat(81) }, 'label'],
  ['a member that is none', { number: '4' }, 'number'],
])('%s is refused with its path', async (_name, changes, path) => {
  const problem = problemOf(await stack.create(newPrincipal(), goodBody(changes)))
  expect(problem.code).toBe('validation_failed')
  expect(problem.fields?.[0]?.path).toContain(path)
})
