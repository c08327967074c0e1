import { randomBytes } from 'node:crypto'
import { createCursors } from '@financial-agents/contract/cursor'
import { Problem, type ProblemData } from '@financial-agents/contract/problem'
import {
  type ActivityPage,
  maxProviderCursorBytes,
  type ProviderActivityItem,
} from '@financial-agents/provider-port/activity-reads'
import { expect, test } from 'vitest'
import { type ActivityPlace, type AskedActivity, createActivityPages } from './activity-pages.ts'

const cursorKey = randomBytes(32)
const activityKey = randomBytes(32)
const pages = createActivityPages({ cursors: createCursors(cursorKey), activityKey })

function movement(changes: Partial<ProviderActivityItem> = {}): ProviderActivityItem {
  return {
    reference: 'one',
    source: 'account',
    direction: 'in',
    amount: { amount: '1.00', currency: 'EUR' },
    status: 'posted',
    description: 'text',
    counterparty_name: null,
    merchant_category: null,
    card_reference: null,
    occurred_at: '2026-03-01T10:00:00Z',
    ...changes,
  }
}

type Asked = { list?: string; ownerId?: string; query?: Partial<AskedActivity> }

/** The page for a query, and the queries that the provider got for it. */
async function get(page: ActivityPage, { list = 'activity', ownerId = 'owner', query = {} }: Asked = {}, by = pages) {
  const asked: ActivityPlace[] = []
  const shown = await by.get({ list, ownerId, query: { limit: 2, ...query } }, async (place) => {
    asked.push(place)
    return page
  })
  return { ...shown, asked }
}
const refusal = (promise: Promise<unknown>): Promise<ProblemData | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Problem) return error.data
      throw error
    },
  )
const two = [movement(), movement({ reference: 'two', occurred_at: '2026-03-01T09:00:00Z' })]
const more: ActivityPage = { items: two, next_cursor: 'secret-cursor-of-the-provider' }

test('the cursor leads on at the provider, and nothing of the provider’s can be read from it', async () => {
  const { items, next_cursor, asked } = await get(more)
  expect([items, asked[0]?.cursor]).toEqual([two, undefined])
  const cursor = next_cursor ?? ''
  const [signed = ''] = cursor.split('.')
  const inside = Buffer.from(JSON.parse(Buffer.from(signed, 'base64url').toString()) as string, 'base64url').toString()
  expect([cursor, inside].join()).not.toContain('secret')
  const next = await get({ items: [], next_cursor: null }, { query: { cursor } })
  expect(next).toMatchObject({ next_cursor: null, asked: [{ cursor: 'secret-cursor-of-the-provider' }] })
})

test('a cursor of another owner, list or query, or a changed one, is refused before the provider is asked', async () => {
  const cursor = (await get(more)).next_cursor ?? ''
  const given: Asked[] = [
    { ownerId: 'another', query: { cursor } },
    { list: 'activity of card x', query: { cursor } },
    { query: { cursor, limit: 3 } },
    { query: { cursor, source: 'card' } },
    { query: { cursor, from: '2026-01-01T00:00:00Z' } },
    { query: { cursor: `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}` } },
  ]
  for (const asked of given)
    expect(await refusal(get(more, asked))).toMatchObject({ code: 'validation_failed', fields: [{ path: 'cursor' }] })
})

test('a cursor sealed under an older key is refused as of no use', async () => {
  const cursor = (await get(more)).next_cursor ?? ''
  const renewed = createActivityPages({ cursors: createCursors(cursorKey), activityKey: randomBytes(32) })
  expect(await refusal(get(more, { query: { cursor } }, renewed))).toMatchObject({ fields: [{ path: 'cursor' }] })
})

test('the longest cursor of a provider makes one that the contract lets pass, and a longer one breaks the contract', async () => {
  const { next_cursor } = await get({ items: two, next_cursor: 'c'.repeat(maxProviderCursorBytes) })
  expect(next_cursor?.length).toBeLessThanOrEqual(1_024)
  const tooLong = await refusal(get({ items: two, next_cursor: 'c'.repeat(500) }))
  expect(tooLong).toMatchObject({ code: 'response_contract_failed' })
})

test('a page of the provider’s that is longer than was asked for is shown in parts, and shorter ones together', async () => {
  const first = await get({ items: two, next_cursor: null }, { query: { limit: 1 } })
  expect(first.items).toEqual(two.slice(0, 1))
  const cursor = first.next_cursor ?? ''
  const rest = await get({ items: two, next_cursor: null }, { query: { limit: 1, cursor } })
  expect(rest).toMatchObject({ items: two.slice(1), next_cursor: null })
  const parts = await pages.get({ list: 'activity', ownerId: 'owner', query: { limit: 2 } }, async (place) =>
    place.cursor === undefined
      ? { items: two.slice(0, 1), next_cursor: 'rest' }
      : { items: two.slice(1), next_cursor: null },
  )
  expect(parts).toEqual({ items: two, next_cursor: null })
})

test('the period is asked for in UTC', async () => {
  const query = { from: '2026-03-01T00:00:00+01:00', to: '2026-04-01T00:00:00Z' }
  const { asked } = await get({ items: [], next_cursor: null }, { query })
  expect(asked).toMatchObject([{ from: '2026-02-28T23:00:00.000Z', to: '2026-04-01T00:00:00.000Z', limit: 2 }])
})

test.each([
  ['a period that ends before it begins', { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' }, 'to'],
  ['a moment outside of the years that can be written', { from: '0000-01-01T00:00:00+05:00' }, 'from'],
])('%s is refused', async (_name, query, path) => {
  expect(await refusal(get(more, { query }))).toMatchObject({ code: 'validation_failed', fields: [{ path }] })
})

const march = { from: '2026-03-01T00:00:00.500Z', to: '2026-03-02T00:00:00Z' }

test.each<[string, ActivityPage, Partial<AskedActivity>]>([
  ['that names a movement twice', { items: [movement(), movement()], next_cursor: null }, {}],
  ['with a movement of another source', { items: two, next_cursor: null }, { source: 'card' }],
  ['oldest first', { items: two.toReversed(), next_cursor: null }, {}],
  [
    'with a movement from before',
    { items: [movement({ occurred_at: '2026-02-28T23:59:59Z' })], next_cursor: null },
    march,
  ],
  [
    'with a movement from after',
    { items: [movement({ occurred_at: '2026-03-02T00:00:00Z' })], next_cursor: null },
    march,
  ],
  ['with a movement of no moment', { items: [movement({ occurred_at: 'x' })], next_cursor: null }, {}],
])('a page %s breaks the contract', async (_name, page, query) => {
  expect(await refusal(get(page, { query }))).toMatchObject({ code: 'response_contract_failed' })
})

test('a page that is followed by itself breaks the contract', async () => {
  const cursor = (await get(more)).next_cursor ?? ''
  expect(await refusal(get(more, { query: { cursor } }))).toMatchObject({ code: 'response_contract_failed' })
})

test('a provider that knows whole seconds alone may list what happened within the first one', async () => {
  const page = { items: [movement({ occurred_at: '2026-03-01T00:00:00Z' })], next_cursor: null }
  expect((await get(page, { query: march })).items).toHaveLength(1)
})
