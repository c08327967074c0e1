import type { Principal } from '@financial-agents/contract/principal'
import type { CardActivityItem } from '@financial-agents/contract/schemas/activity'
import type { Provider } from '@financial-agents/provider-port/port'
import { dataOf, newPrincipal, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startStack } from '../started.test-helper.ts'

/** The answer of a provider that the test controls. */
let answer: Provider['activity'] | undefined
const stack = await startStack({
  replicas: 2,
  answers: (adapter) => ({ activity: (query) => (answer ? answer(query) : adapter.activity(query)) }),
})
afterAll(() => stack.stop())
afterEach(async () => {
  answer = undefined
  await stack.provider.ask('DELETE', '/control/faults')
})

type Page = { items: CardActivityItem[]; next_cursor: string | null }
type Query = Record<string, string>

const ask = (principal: Principal, card_id: string, query: Query = {}) =>
  stack.send('listCardActivity', principal, { params: { card_id }, query })
const pageOf = async (principal: Principal, card_id: string, query: Query = {}) =>
  dataOf(await ask(principal, card_id, query)) as Page
const fault = (script: string) =>
  stack.provider.ask('POST', '/control/faults', { script, match: { kind: 'activity' }, options: {} })

/** A card that really exists at the provider, with one movement. */
async function usedCard(principal: Principal = newPrincipal()) {
  const call = {
    credentials: 'test-user-ines-carvalho-lisboa',
    timeoutMs: 60_000,
    validUntil: new Date(Date.now() + 3_600_000),
  }
  const payload = { label: null, type: 'virtual', currency: 'EUR' }
  const made = await stack.adapter.submit({ ...call, kind: 'card_create', payload, reference: crypto.randomUUID() })
  if (made.type !== 'succeeded') throw new Error(`the provider made no card: ${made.type}`)
  return stack.activeCard(made.upstreamReference, principal)
}

let used: Awaited<ReturnType<typeof usedCard>>
beforeAll(async () => {
  used = await usedCard()
})

test('what moved on the card is shown newest first, under the card’s own id and with nothing of the provider’s', async () => {
  const { principal, id, reference } = used
  const { items } = await pageOf(principal, id)
  expect(items.length).toBeGreaterThanOrEqual(2)
  for (const item of items) expect(item).toMatchObject({ card_id: id, source: 'card', direction: 'out' })
  expect(items.map((item) => item.merchant_category)).toContain('6012')
  const times = items.map((item) => item.occurred_at)
  expect(times).toEqual(times.toSorted().toReversed())
  const shown = JSON.stringify([items, stack.logLines])
  expect(shown).not.toContain(reference)
  expect(shown).not.toContain('mov_')
})

test('pages follow each other, whichever replica answers, and show each movement once', async () => {
  const { principal, id } = used
  const all = (await pageOf(principal, id)).items.map((item) => item.id)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Page = await pageOf(principal, id, { limit: '1', ...(cursor === null ? {} : { cursor }) })
    seen.push(...page.items.map((item) => item.id))
    cursor = page.next_cursor
  } while (cursor !== null)
  expect(seen).toEqual(all)
  expect(new Set(seen).size).toBe(seen.length)
})

test.each([1, 100])('pages have the asked size where the provider has %i at a time', async (size) => {
  const { principal, id } = used
  const all = (await pageOf(principal, id)).items.map((item) => item.id)
  answer = (query) => stack.adapter.activity({ ...query, limit: size })
  const first = await pageOf(principal, id, { limit: '2' })
  expect(first.items.map((item) => item.id)).toEqual(all.slice(0, 2))
})

test('what an adapter lets pass in another shape breaks the contract, and none of it is logged', async () => {
  const { principal, id } = await usedCard()
  answer = async (query) => {
    const page = await stack.adapter.activity(query)
    const items = page.type === 'ok' ? page.data.items : []
    const lax = items.map((item) => ({ ...item, direction: 'SECRET' as 'in' }))
    return { type: 'ok', data: { items: lax, next_cursor: null } }
  }
  const before = stack.logLines.length
  expect(problemOf(await ask(principal, id)).code).toBe('response_contract_failed')
  expect(stack.logLines.slice(before).join('')).toContain('items.0.direction')
  expect(stack.logLines.slice(before).join('')).not.toContain('SECRET')
})

test('a cursor of another card, owner or query is refused with the path cursor', async () => {
  const { principal, id } = used
  const cursor = (await pageOf(principal, id, { limit: '1' })).next_cursor ?? ''
  const other = await usedCard(principal)
  const stranger = await usedCard()
  const refused = [
    await ask(principal, other.id, { limit: '1', cursor }),
    await ask(principal, id, { limit: '2', cursor }),
    await ask(stranger.principal, stranger.id, { limit: '1', cursor }),
  ]
  for (const reply of refused)
    expect(problemOf(reply)).toMatchObject({ code: 'validation_failed', fields: [{ path: 'cursor' }] })
})

test('another client of the owner sees the same movements under identifiers of its own', async () => {
  const { principal, id } = used
  const other = { ...principal, client_id: 'client-two', subject: 'another-subject' }
  const [mine, theirs] = [(await pageOf(principal, id)).items, (await pageOf(other, id)).items]
  expect(theirs.map((item) => item.occurred_at)).toEqual(mine.map((item) => item.occurred_at))
  const ids = [...mine, ...theirs].map((item) => item.id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a period in which nothing moved is an empty page', async () => {
  const { principal, id } = used
  const query = { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00+01:00' }
  expect(await pageOf(principal, id, query)).toEqual({ items: [], next_cursor: null })
})

test('on a card that the provider has not made nothing moved, and the provider is not asked', async () => {
  const principal = newPrincipal()
  const { resource_id } = dataOf(await stack.create(principal))
  await fault('drop_before_accept')
  expect(await pageOf(principal, resource_id)).toEqual({ items: [], next_cursor: null })
})

test('a foreign, an unknown and a malformed id answer alike', async () => {
  const { principal, id } = used
  const answers = [
    await ask(newPrincipal(), id),
    await ask(principal, '01990000-0000-7000-8000-000000000000'),
    await ask(principal, "no-uuid'; --"),
  ].map(problemOf)
  for (const problem of answers) expect(problem).toEqual(answers[0])
  expect(answers[0]?.code).toBe('card_not_found')
})

test('a provider that does not answer is unavailable; one that answers in another shape breaks the contract, and no content is logged', async () => {
  const { principal, id } = await usedCard()
  await fault('drop_before_accept')
  expect(problemOf(await ask(principal, id)).code).toBe('provider_unavailable')
  await stack.provider.ask('DELETE', '/control/faults')
  await fault('malform')
  const before = stack.logLines.length
  expect(problemOf(await ask(principal, id)).code).toBe('response_contract_failed')
  expect(stack.logLines.slice(before).join('')).not.toMatch(/CARD VERIFICATION|Bistro/i)
})

test('an owner whose binding onboarding does not know is not connected', async () => {
  const { principal, id } = used
  const gone = await ask({ ...principal, binding_id: 'gone' }, id)
  expect(problemOf(gone).code).toBe('provider_connection_unavailable')
})
