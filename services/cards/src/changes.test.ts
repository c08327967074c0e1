import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { OperationTransition } from '@financial-agents/bus/messages/events'
import type { Reply } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import type { Operation } from '@financial-agents/contract/schemas/operation'
import { statement } from '@financial-agents/postgres/database'
import {
  dataOf,
  newPrincipal,
  problemOf,
  transition,
  untilDraftsAreDecidedMs,
  untilPendingIsPulledMs,
} from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CardChange } from './card-machine.ts'
import { eventually, type Outcome, rowOf, startStack } from './started.test-helper.ts'

const stack = await startStack({ replicas: 2 })
afterAll(() => stack.stop())
beforeEach(() => {
  stack.operations.beforeAccept = async () => {}
  stack.operations.beforeAnswer = async () => {}
  stack.clock.setOffsetMs(0)
})

const changes = ['freeze', 'unfreeze', 'close'] as const

/** Brings a card into the state by the operations that lead there. */
async function cardIn(state: 'active' | 'frozen' | 'closed' | 'failed' | 'pending') {
  if (state === 'pending' || state === 'failed') {
    const principal = newPrincipal()
    const operation = dataOf(await stack.create(principal))
    if (state === 'failed') await stack.settle(principal, operation, 'failed')
    return { principal, id: operation.resource_id, reference: '' }
  }
  const card = await stack.activeCard()
  if (state === 'frozen') await stack.changeTo('freeze', card.principal, card.id)
  if (state === 'closed') await stack.changeTo('close', card.principal, card.id)
  return card
}

describe.each<[CardChange, 'active' | 'frozen', string, string]>([
  ['freeze', 'active', 'freezing', 'frozen'],
  ['unfreeze', 'frozen', 'unfreezing', 'active'],
  ['close', 'active', 'closing', 'closed'],
  ['close', 'frozen', 'closing', 'closed'],
])('%s of an %s card', (change, from, during, after) => {
  test.each<[Outcome, string]>([
    ['succeeded', after],
    ['failed', from],
    ['cancelled', from],
  ])(`is ${during} at once, and %s makes it %s`, async (outcome, wanted) => {
    const { principal, id, reference } = await cardIn(from)
    const operation = dataOf(await stack.change(change, principal, id))
    expect(operation).toMatchObject({ kind: `card_${change}`, resource_id: id })
    expect(await stack.cardOf(principal, id)).toMatchObject({ state: during, pending_operation_id: operation.id })
    expect(await rowOf(stack, id)).toMatchObject({ prior_state: from })
    const asked = stack.operations.asked.find((request) => request.operation_id === operation.id)
    expect(asked).toMatchObject({ kind: `card_${change}`, target_reference: reference, confirmation: null })
    const sealed = Buffer.from(asked?.payload_sealed ?? '', 'base64')
    expect(stack.payloadSealer.open(sealed, operation.id).toString()).toBe('{}')
    const settled = await stack.settle(principal, operation, outcome)
    expect(settled).toMatchObject({ state: wanted, pending_operation_id: null, brand: 'visa', last_four: '4021' })
    expect(await rowOf(stack, id)).toMatchObject({ prior_state: null, upstream_reference: reference })
  })

  test('shows nothing while it is undecided, and nothing came of it where it is void', async () => {
    const { principal, id } = await cardIn(from)
    const { updated_at } = await stack.cardOf(principal, id)
    stack.operations.beforeAccept = stack.lostAnswers.lose
    expect(problemOf(await stack.change(change, principal, id)).code).toBe('acceptance_unknown')
    expect(await stack.cardOf(principal, id)).toMatchObject({ state: from, pending_operation_id: null })
    expect((await rowOf(stack, id))?.changes).toMatchObject([{ action: change, state: 'draft' }])
    expect(problemOf(await stack.change('unfreeze', principal, id)).code).toBe('resource_busy')
    stack.operations.beforeAccept = async () => {}
    stack.clock.setOffsetMs(untilDraftsAreDecidedMs + 1_000)
    await vi.waitFor(async () => expect((await rowOf(stack, id))?.changes).toEqual([]), eventually)
    expect(await stack.cardOf(principal, id)).toMatchObject({ state: from, pending_operation_id: null, updated_at })
    dataOf(await stack.change('close', principal, id))
  })

  test('an event shows that an undecided draft was accepted, and carries the card all the way', async () => {
    const { principal, id } = await cardIn(from)
    stack.operations.beforeAnswer = stack.lostAnswers.lose
    problemOf(await stack.change(change, principal, id))
    const operation_id = (await rowOf(stack, id))?.changes[0]?.operation_id ?? ''
    const kind = `card_${change}` as const
    stack.publish(kind, [transition({ operation_id, kind, sequence: 3, to: 'succeeded' })])
    await vi.waitFor(async () => expect((await stack.cardOf(principal, id)).state).toBe(after), eventually)
  })

  test('of fifty requests at once one is accepted, and the others learn that the card is busy', async () => {
    const { principal, id } = await cardIn(from)
    const replies = await Promise.all(Array.from({ length: 50 }, () => stack.change(change, principal, id)))
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1)
    const refused = replies.filter(({ ok }) => !ok).map((reply) => problemOf(reply).code)
    expect(new Set(refused)).toEqual(new Set(['resource_busy']))
  })

  test('fifty equal requests at once are one operation; a replay is answered when the card no longer takes it', async () => {
    const { principal, id } = await cardIn(from)
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 50 }, () => stack.change(change, principal, id, key)))
    expect(new Set(replies.map((reply) => dataOf(reply).id)).size).toBe(1)
    expect(replies.filter((reply) => !('replayed' in reply))).toHaveLength(1)
    const operation = dataOf(replies[0] as Reply<Operation>)
    await stack.settle(principal, operation, 'succeeded')
    expect(await stack.change(change, principal, id, key)).toMatchObject({
      ok: true,
      replayed: true,
      data: { id: operation.id },
    })
  })
})

test.each([
  ['pending', ['resource_busy', 'resource_busy', 'resource_busy']],
  ['active', [null, 'card_not_frozen', null]],
  ['frozen', ['card_not_active', null, null]],
  ['closed', ['card_not_active', 'card_not_frozen', 'card_already_closed']],
  ['failed', ['card_not_active', 'card_not_frozen', 'card_not_active']],
] as const)('a card that is %s answers freeze, unfreeze and close with %s', async (state, codes) => {
  for (const [index, change] of changes.entries()) {
    const code = codes[index]
    if (code === null) continue
    const { principal, id } = await cardIn(state)
    expect(problemOf(await stack.change(change, principal, id)).code).toBe(code)
    expect(await stack.cardOf(principal, id)).toMatchObject({ state })
  }
})

test('of fifty freezes and closings at once one closing is accepted, and at most one freeze before it', async () => {
  const { principal, id } = await cardIn('active')
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => stack.change(index % 2 ? 'freeze' : 'close', principal, id)),
  )
  const accepted = replies.flatMap((reply) => (reply.ok ? [reply.data] : []))
  const of = (kind: string) => accepted.filter((operation) => operation.kind === kind)
  expect(of('card_close')).toHaveLength(1)
  expect(of('card_freeze').length).toBeLessThanOrEqual(1)
  const closing = { state: 'closing', pending_operation_id: of('card_close')[0]?.id }
  expect(await stack.cardOf(principal, id)).toMatchObject(closing)
})

describe('beside a change that is lost', () => {
  const early = { resource: { changed_at: '2026-11-22T10:00:00Z' } }
  const late = { resource: { changed_at: '2026-11-22T10:00:00.001Z' } }
  const tell = (operation: Operation, to: OperationTransition['to'], facts: Partial<OperationTransition> = {}) =>
    stack.publish(operation.kind, [transition({ operation_id: operation.id, kind: operation.kind, to, ...facts })])
  const until = (principal: Principal, id: string, state: string) =>
    vi.waitFor(async () => expect((await stack.cardOf(principal, id)).state).toBe(state), eventually)

  test.each([
    ['freeze', 'active'],
    ['unfreeze', 'frozen'],
  ] as const)('a closing is accepted beside a lost %s, and ends it for good', async (lost, from) => {
    const { principal, id } = await cardIn(from)
    const earlier = dataOf(await stack.change(lost, principal, id))
    tell(earlier, 'indeterminate')
    const closing = dataOf(await stack.change('close', principal, id))
    expect(await stack.cardOf(principal, id)).toMatchObject({ state: 'closing', pending_operation_id: closing.id })
    for (const change of changes)
      expect(problemOf(await stack.change(change, principal, id)).code).toBe('resource_busy')
    expect(await stack.settle(principal, closing, 'succeeded')).toMatchObject({ state: 'closed' })
    tell(earlier, 'succeeded', late)
    await stack.changeTo('freeze', ...(await other()))
    expect(await stack.cardOf(principal, id)).toMatchObject({ state: 'closed', pending_operation_id: null })
  })

  test('a closing that failed leaves the card with the freeze that is still lost, and shows it again', async () => {
    const { principal, id } = await cardIn('active')
    const freeze = dataOf(await stack.change('freeze', principal, id))
    const closing = dataOf(await stack.change('close', principal, id))
    tell(closing, 'failed')
    await until(principal, id, 'freezing')
    expect(await stack.cardOf(principal, id)).toMatchObject({ pending_operation_id: freeze.id })
    expect(await stack.settle(principal, freeze, 'succeeded', early)).toMatchObject({ state: 'frozen' })
  })

  test.each([
    ['made before it: the card is frozen', early, late, 'frozen'],
    ['made after it: the card is active', late, early, 'active'],
    ['made in the same moment: the card is not taken for frozen', late, late, 'active'],
    ['made at a time that the provider does not tell: nor here', {}, late, 'active'],
  ])(
    'a freeze is accepted beside a lost unfreeze; %s: the card follows the later',
    async (_name, one, other, after) => {
      for (const first of ['freeze', 'unfreeze']) {
        const { principal, id } = await cardIn('frozen')
        const unfreeze = dataOf(await stack.change('unfreeze', principal, id))
        const freeze = dataOf(await stack.change('freeze', principal, id))
        expect(await stack.cardOf(principal, id)).toMatchObject({ state: 'freezing', pending_operation_id: freeze.id })
        expect(problemOf(await stack.change('unfreeze', principal, id)).code).toBe('resource_busy')
        expect(problemOf(await stack.change('freeze', principal, id)).code).toBe('resource_busy')
        if (first === 'freeze') {
          tell(freeze, 'succeeded', other)
          await until(principal, id, 'unfreezing')
          expect(await stack.cardOf(principal, id)).toMatchObject({ pending_operation_id: unfreeze.id })
        } else {
          tell(unfreeze, 'succeeded', one)
          await stack.changeTo('freeze', ...(await cardOf('active')))
          expect(await stack.cardOf(principal, id)).toMatchObject({
            state: 'freezing',
            pending_operation_id: freeze.id,
          })
        }
        const last = first === 'freeze' ? ([unfreeze, one] as const) : ([freeze, other] as const)
        expect(await stack.settle(principal, last[0], 'succeeded', last[1])).toMatchObject({ state: after })
        expect(await rowOf(stack, id)).toMatchObject({ prior_state: null, changes: [] })
      }
    },
  )

  test('the refusal of another change says what to follow and what is accepted meanwhile', async () => {
    const { principal, id } = await cardIn('frozen')
    dataOf(await stack.change('unfreeze', principal, id))
    expect(problemOf(await stack.change('unfreeze', principal, id)).detail).toMatch(
      /pending_operation_id.*Freezing and/,
    )
    dataOf(await stack.change('freeze', principal, id))
    expect(problemOf(await stack.change('freeze', principal, id)).detail).toMatch(/Closing the card is accepted/)
    dataOf(await stack.change('close', principal, id))
    expect(problemOf(await stack.change('close', principal, id)).detail).toMatch(/is being closed/)
  })

  const cardOf = async (state: 'active') => {
    const card = await cardIn(state)
    return [card.principal, card.id] as const
  }
  const other = () => cardOf('active')
})

test('changes of many cards in mixed batches at two replicas all get through', async () => {
  const cards = await Promise.all(Array.from({ length: 12 }, () => cardIn('active')))
  for (let round = 0; round < 3; round += 1) {
    const operations = await Promise.all(
      cards.map(async ({ principal, id }, index) => {
        const change = round === 2 || index % 3 === 0 ? 'close' : 'freeze'
        const reply = await stack.change(change, principal, id)
        return { principal, change, reply }
      }),
    )
    await Promise.all(
      operations.map(async ({ principal, reply }) => {
        if (reply.ok) await stack.settle(principal, reply.data, 'failed')
      }),
    )
    expect(operations.every(({ reply }) => reply.ok)).toBe(true)
  }
})

test('a card of another owner, an unknown and a malformed one are not found; another client of the owner may change it', async () => {
  const { principal, id } = await cardIn('active')
  for (const change of changes) {
    for (const named of [id, randomUUIDv7(), "no-uuid'; --"]) {
      const reply = await stack.change(change, newPrincipal(), named)
      expect(problemOf(reply)).toEqual(problemOf(await stack.get(newPrincipal(), randomUUIDv7())))
    }
  }
  const other = { ...principal, client_id: 'client-two' }
  expect(dataOf(await stack.change('freeze', other, id)).kind).toBe('card_freeze')
})

test('a key that was used for another request is a conflict, whatever the state of the card', async () => {
  const { principal, id } = await cardIn('closed')
  const other = await stack.activeCard(undefined, principal)
  const key = randomUUID()
  dataOf(await stack.change('freeze', principal, other.id, key))
  expect(problemOf(await stack.change('freeze', principal, id, key)).code).toBe('idempotency_key_conflict')
})

test('events of another operation change nothing: late events of an old change are ignored', async () => {
  const { principal, id } = await cardIn('active')
  const first = dataOf(await stack.change('freeze', principal, id))
  await stack.settle(principal, first, 'failed')
  const second = dataOf(await stack.change('close', principal, id))
  stack.publish('card_freeze', [
    transition({ operation_id: first.id, kind: 'card_freeze', sequence: 9, to: 'succeeded' }),
  ])
  const { principal: bystander, id: last } = await cardIn('active')
  await stack.changeTo('freeze', bystander, last)
  expect(await stack.cardOf(principal, id)).toMatchObject({ state: 'closing', pending_operation_id: second.id })
})

test('events that come twice and out of order leave the card where its operation is', async () => {
  const { principal, id } = await cardIn('active')
  const { id: operation_id } = dataOf(await stack.change('freeze', principal, id))
  const kind = 'card_freeze'
  const claimed = transition({ operation_id, kind, sequence: 2, to: 'submitting' })
  const done = transition({ operation_id, kind, sequence: 4, to: 'succeeded' })
  stack.publish(kind, [done, claimed, done])
  await vi.waitFor(async () => expect((await stack.cardOf(principal, id)).state).toBe('frozen'), eventually)
  stack.publish(kind, [claimed, done])
  expect(await stack.changeTo('unfreeze', principal, id)).toMatchObject({ state: 'active' })
})

test.each(['submitting', 'submitted', 'indeterminate'] as const)('%s settles nothing', async (to) => {
  const { principal, id } = await cardIn('active')
  const { id: operation_id } = dataOf(await stack.change('freeze', principal, id))
  stack.publish('card_freeze', [transition({ operation_id, kind: 'card_freeze', to })])
  await cardIn('frozen')
  expect((await stack.cardOf(principal, id)).state).toBe('freezing')
  expect(problemOf(await stack.change('freeze', principal, id)).code).toBe('resource_busy')
})

test('a change whose events were lost is pulled from operations', async () => {
  const { principal, id } = await cardIn('active')
  const operation = dataOf(await stack.change('freeze', principal, id))
  const live = stack.operations.operations.get(operation.id)
  if (live) live.state = 'succeeded'
  stack.clock.setOffsetMs(untilPendingIsPulledMs + 1_000)
  await vi.waitFor(async () => expect((await stack.cardOf(principal, id)).state).toBe('frozen'), eventually)
})

test('a refused confirmation of the draft gives the card free again', async () => {
  const { principal, id } = await cardIn('active')
  stack.operations.validateConfirmation = () => 'confirmation_required'
  expect(problemOf(await stack.change('freeze', principal, id)).code).toBe('confirmation_required')
  stack.operations.validateConfirmation = () => undefined
  expect(await stack.cardOf(principal, id)).toMatchObject({ state: 'active', pending_operation_id: null })
  dataOf(await stack.change('freeze', principal, id))
})

test('no write of a change is left with a card that is gone: all of them are settled or under way', async () => {
  const rows = await stack.db.rows(
    statement('test_stray', `SELECT 1 FROM writes w LEFT JOIN cards c ON c.id = w.resource_id WHERE c.id IS NULL`),
  )
  expect(rows).toEqual([])
})
