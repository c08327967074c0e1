import type { ActivityItem } from '@financial-agents/contract/schemas/activity'
import type { ActivityQuery, ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import { dataOf, problemOf } from '@financial-agents/testkit/test-service'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { newPrincipal, type Page, startStack } from '../started.test-helper.ts'

type ActivityRequest = Omit<ActivityQuery, 'credentials' | 'timeoutMs' | 'traceHeaders'>

/** The answer of a provider that the test controls. */
let answer: ((asked: ActivityRequest) => unknown) | undefined
const asked: ActivityRequest[] = []
const stack = await startStack({
  replicas: 2,
  adapt: (provider) => ({
    ...provider,
    activity: async (query) => {
      const { credentials: _, timeoutMs: __, traceHeaders: ___, ...rest } = query
      asked.push(rest)
      return answer ? { type: 'ok', data: answer(rest) as never } : provider.activity(query)
    },
  }),
})
afterAll(() => stack.stop())
beforeEach(() => {
  answer = undefined
  asked.length = 0
})

type Asking = ReturnType<typeof newPrincipal>
const send = (principal: Asking, query: Record<string, string> = {}) => stack.send('listActivity', principal, { query })
const list = async (principal: Asking, query: Record<string, string> = {}) =>
  dataOf(await send(principal, query)) as Page<ActivityItem>
/** Waits until cached reads have expired. */
const wait = () => stack.clock.setOffsetMs(stack.clock.nowMs() - Date.now() + 60_000)

function item(number: number, changes: Partial<ProviderActivityItem> = {}): ProviderActivityItem {
  return {
    reference: `SECRET-${number}`,
    source: 'account',
    direction: 'out',
    amount: { amount: `${number}.00`, currency: 'EUR' },
    status: 'posted',
    description: `Movement ${number}`,
    counterparty_name: null,
    merchant_category: null,
    card_reference: null,
    // Several items have the same time.
    occurred_at: new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 3) * 60_000).toISOString(),
    ...changes,
  }
}

/** A provider with cursors that count from the newest item, and with its own page size. */
function paging(items: readonly ProviderActivityItem[], size: (limit: number) => number) {
  return ({ cursor, limit }: ActivityRequest) => {
    const begin = cursor === undefined ? 0 : Number(cursor.slice('SECRET-at-'.length))
    const end = begin + size(limit)
    return { items: items.slice(begin, end), next_cursor: end < items.length ? `SECRET-at-${end}` : null }
  }
}

const newestFirst = (count: number) => Array.from({ length: count }, (_, index) => item(count - index))

async function walk(principal: Asking, query: Record<string, string>, between = () => {}): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null = null
  do {
    const page: Page<ActivityItem> = await list(principal, { ...query, ...(cursor ? { cursor } : {}) })
    pages.push(page.items.map(({ description }) => description))
    cursor = page.next_cursor
    wait()
    between()
  } while (cursor !== null && pages.length < 200)
  return pages
}

test('what moved at the provider is listed newest first, under identifiers of ours', async () => {
  const { items } = await list(newPrincipal())
  expect(items.length).toBeGreaterThan(0)
  const timestamps = items.map(({ occurred_at }) => occurred_at)
  expect(timestamps).toEqual(timestamps.toSorted().toReversed())
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
})

test.each([
  { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
  { from: '0000-01-01T00:00:00Z', to: '0000-01-01T00:00:01Z' },
  { from: '9999-12-31T23:59:59.999999999Z' },
])('a period in which nothing moved (%j) is an empty page', async (query) => {
  expect(await list(newPrincipal(), query as Record<string, string>)).toEqual({ items: [], next_cursor: null })
})

test('all that the provider lists can be walked through, each source for itself', async () => {
  const principal = newPrincipal()
  const all = (await walk(principal, { limit: '100' })).flat()
  const bySource = await Promise.all(
    ['account', 'card', 'spending'].map((source) => walk(principal, { limit: '33', source })),
  )
  expect(bySource.flat(2).toSorted()).toEqual(all.toSorted())
})

test('an item is shown as contracted, and has one identifier for a subject, another for each other subject', async () => {
  answer = paging([item(1, { merchant_category: '5812', occurred_at: '2026-01-01T01:00:00.1239+01:00' })], () => 10)
  const principal = newPrincipal()
  const page = await list(principal)
  expect(page).toEqual({
    items: [
      {
        id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        source: 'account',
        direction: 'out',
        amount: { amount: '1.00', currency: 'EUR' },
        status: 'posted',
        description: 'Movement 1',
        counterparty_name: null,
        occurred_at: '2026-01-01T00:00:00.123Z',
      },
    ],
    next_cursor: null,
  })
  wait()
  expect(await list(principal)).toEqual(page)
  expect((await list({ ...principal, subject: 'other' })).items[0]?.id).not.toBe(page.items[0]?.id)
})

test.each([
  ['as large as asked', (limit: number) => limit],
  ['smaller', () => 5],
  ['larger', () => 40],
])('whatever pages the provider has (%s), ours have the asked size and show each item once', async (_name, size) => {
  const items = newestFirst(61)
  answer = paging(items, size)
  const principal = newPrincipal()
  for (const limit of [7, 60, 61]) {
    const pages = await walk(principal, { limit: String(limit) })
    expect(pages.flat()).toEqual(items.map(({ description }) => description))
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
  }
})

test.each([
  ['as large as asked', (limit: number) => limit],
  ['larger', () => 40],
])(
  'items that come while pages (%s) are walked through are in none of the later ones, nor is any left out',
  async (_name, size) => {
    const items = newestFirst(30)
    let count = 30
    answer = paging(items, size)
    const pages = await walk(newPrincipal(), { limit: '7' }, () => {
      count += 1
      items.unshift(item(count))
    })
    expect(pages.flat()).toEqual(newestFirst(30).map(({ description }) => description))
  },
)

test('a provider without end, and without items, is not asked without end', async () => {
  let page = 0
  answer = () => ({ items: [], next_cursor: `SECRET-${(page += 1)}` })
  const first = await list(newPrincipal())
  expect(first.items).toEqual([])
  expect(first.next_cursor).not.toBeNull()
  expect(asked.length).toBeLessThanOrEqual(25)
})

test('the period is asked for in UTC, with the source; pages are filtered by the provider', async () => {
  await list(newPrincipal(), {
    from: '2026-01-01T00:00:00+01:00',
    to: '2026-02-01T00:00:00Z',
    source: 'card',
    limit: '9',
  })
  expect(asked).toEqual([
    {
      provider: 'fake',
      from: '2025-12-31T23:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      source: 'card',
      cursor: undefined,
      limit: 9,
    },
  ])
})

test.each([
  [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
  [{ from: 'yesterday' }, 'from'],
  [{ to: '2026-01-01' }, 'to'],
  [{ to: '9999-12-31T23:30:00-01:00' }, 'to'],
  [{ source: 'wallet' }, 'source'],
  [{ limit: '0' }, 'limit'],
  [{ limit: '101' }, 'limit'],
  [{ cursor: 'x' }, 'cursor'],
  [{ account: 'x' }, 'account'],
])('a query of %j is refused by %s, and the provider is not asked', async (query, path) => {
  expect(problemOf(await send(newPrincipal(), query as Record<string, string>))).toMatchObject({
    code: 'validation_failed',
    fields: [{ path }],
  })
  expect(asked).toEqual([])
})

test('a cursor is good for its owner and its query alone, and tells nothing of the provider', async () => {
  answer = paging(newestFirst(30), () => 8)
  const principal = newPrincipal()
  const cursor = (await list(principal, { limit: '5', source: 'account' })).next_cursor ?? ''
  expect(cursor.length).toBeLessThanOrEqual(1024)
  const readable = Buffer.from(cursor.split('.')[0] ?? '', 'base64url').toString('latin1')
  const deeper = Buffer.from(readable, 'base64url').toString('latin1')
  expect(`${cursor} ${readable} ${deeper}`).not.toContain('SECRET')
  expect(
    (await list({ ...principal, client_id: 'client-two' }, { limit: '5', source: 'account', cursor })).items,
  ).toHaveLength(5)
  const refused = [
    await send(newPrincipal(), { limit: '5', source: 'account', cursor }),
    await send(principal, { limit: '6', source: 'account', cursor }),
    await send(principal, { limit: '5', cursor }),
    await send(principal, { limit: '5', source: 'account', from: '2026-01-01T00:00:00Z', cursor }),
    await stack.send('listAccounts', principal, { query: { limit: '5', cursor } }),
  ]
  for (const reply of refused)
    expect(problemOf(reply)).toMatchObject({ code: 'validation_failed', fields: [{ path: 'cursor' }] })
})

test('texts are sanitised', async () => {
  const description = 'Refund to PT50000201231234567890154 for rui@example.com, card 4111 1111 1111 1111'
  answer = paging([item(1, { description, counterparty_name: 'Rui +351 912 345 678' })], () => 10)
  const [shown] = (await list(newPrincipal())).items
  expect(shown?.description).not.toMatch(/4567890|example|1111 1111/)
  expect(shown?.counterparty_name).not.toMatch(/912/)
})

test.each([
  ['of another source', [item(1, { source: 'card' })]],
  ['before the period', [item(1, { occurred_at: '2025-12-31T23:59:59.999Z' })]],
  ['after the period', [item(1, { occurred_at: '2026-02-01T00:00:00.000Z' })]],
  ['older than the next', [item(1), item(9)]],
  ['named twice', [item(1), item(1)]],
  ['below zero', [item(1, { amount: { amount: '-1', currency: 'EUR' } })]],
  ['of no known direction', [item(1, { direction: 'SECRET' as 'in' })]],
  ['of no moment', [item(1, { occurred_at: 'SECRET' })]],
])('an answer with an item %s is 500, and its content is in no log', async (_name, items) => {
  const principal = newPrincipal()
  const query = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', source: 'account' }
  answer = paging(items, () => 10)
  stack.logLines.length = 0
  expect(problemOf(await send(principal, query)).code).toBe('response_contract_failed')
  expect(stack.logLines.join('')).toContain('response_contract_failed')
  expect(stack.logLines.join('')).not.toContain('SECRET')
  answer = paging([item(1)], () => 10)
  wait()
  expect((await list(principal, query)).items).toHaveLength(1)
})
