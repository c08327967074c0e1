import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { settleUnheard } from '@financial-agents/writes/testing/stub-operations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodBody, startStack } from './started.test-helper.ts'

const stack = await startStack()
afterAll(() => stack.stop())

const principal = newPrincipal()
const ids: string[] = []
beforeAll(async () => {
  for (const label of ['one', 'two', 'three', 'four', 'five'])
    ids.unshift(dataOf(await stack.create(principal, goodBody({ label }))).resource_id)
})

test('pages follow each other newest first and show each card once', async () => {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: Record<string, string> = { limit: '2', ...(cursor ? { cursor } : {}) }
    const page: Awaited<ReturnType<typeof stack.list>> = await stack.list(principal, query)
    seen.push(...page.items.map((item) => item.id))
    cursor = page.next_cursor
  } while (cursor)
  expect(seen).toEqual(ids)
})

test('a page that ends with the last card has no next cursor', async () => {
  expect((await stack.list(principal, { limit: '5' })).next_cursor).toBeNull()
  expect((await stack.list(principal)).next_cursor).toBeNull()
})

test('a cursor of another owner or query is refused with the path cursor', async () => {
  const cursor = (await stack.list(principal, { limit: '2' })).next_cursor ?? ''
  const refused = [
    await stack.send('listCards', principal, { query: { limit: '3', cursor } }),
    await stack.send('listCards', newPrincipal(), { query: { limit: '2', cursor } }),
  ]
  for (const reply of refused)
    expect(problemOf(reply)).toMatchObject({ code: 'validation_failed', fields: [{ path: 'cursor' }] })
})

test('cards are the owner’s: another client of the owner sees them, another owner does not', async () => {
  const otherClient = { ...principal, client_id: 'client-two' }
  expect((await stack.list(otherClient)).items.map((item) => item.id)).toEqual(ids)
  expect(dataOf(await stack.get(otherClient, ids[0] ?? '')).id).toBe(ids[0])
  expect((await stack.list(newPrincipal())).items).toEqual([])
})

test('a foreign, an unknown and a malformed id answer alike', async () => {
  const answers = [
    await stack.get(newPrincipal(), ids[0] ?? ''),
    await stack.get(principal, '01990000-0000-7000-8000-000000000000'),
    await stack.get(principal, "no-uuid'; --"),
    await stack.get(principal, '\u0000'),
  ].map(problemOf)
  for (const problem of answers) expect(problem).toEqual(answers[0])
  expect(answers[0]?.code).toBe('card_not_found')
})

const unheard = ({ id }: { id: string }, state: 'succeeded' | 'failed' = 'succeeded') =>
  settleUnheard(stack.operations, id, state)

test('who has read an outcome reads the card in its new state, alone, in lists and in the next change, before any event', async () => {
  const owner = newPrincipal()
  const created = dataOf(await stack.create(owner, goodBody()))
  const id = created.resource_id
  expect((await stack.cardOf(owner, id)).state).toBe('pending')
  unheard(created)
  expect(await stack.cardOf(owner, id)).toMatchObject({ state: 'active', pending_operation_id: null })
  for (const [change, during, after] of [
    ['freeze', 'freezing', 'frozen'],
    ['unfreeze', 'unfreezing', 'active'],
    ['close', 'closing', 'closed'],
  ] as const) {
    const operation = dataOf(await stack.change(change, owner, id))
    expect((await stack.cardOf(owner, id)).state).toBe(during)
    unheard(operation)
    expect((await stack.list(owner)).items).toMatchObject([{ id, state: after, pending_operation_id: null }])
  }
})

test('a change is validated by the outcome before it, although its event has not arrived', async () => {
  const owner = newPrincipal()
  const created = dataOf(await stack.create(owner, goodBody()))
  unheard(created)
  const frozen = dataOf(await stack.change('freeze', owner, created.resource_id))
  unheard(frozen)
  const unfrozen = dataOf(await stack.change('unfreeze', owner, created.resource_id))
  unheard(unfrozen, 'failed')
  expect((await stack.cardOf(owner, created.resource_id)).state).toBe('frozen')
})
