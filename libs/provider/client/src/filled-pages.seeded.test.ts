import { randomBytes } from 'node:crypto'
import { createCursors } from '@financial-agents/contract/cursor'
import {
  type ActivityPage,
  maxProviderCursorBytes,
  type ProviderActivityItem,
} from '@financial-agents/provider-port/activity-reads'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createActivityPages } from './activity-pages.ts'
import { type ActivityPlace, beginning, fillPage, findPlace, writePlace } from './filled-pages.ts'

type ReadPage = (place: ActivityPlace) => Promise<ActivityPage>

/** The newest items have the highest numbers; groups of three have the same time. */
function item(number: number): ProviderActivityItem {
  return {
    reference: `item-${number}`,
    source: 'account',
    direction: 'in',
    amount: { amount: '1', currency: 'EUR' },
    status: 'posted',
    description: '',
    counterparty_name: null,
    merchant_category: null,
    card_reference: null,
    occurred_at: new Date(Math.floor(number / 3) * 1_000).toISOString(),
  }
}

const numbers = (first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, index) => item(first - index))

/** A provider whose cursors count from the newest item, or name the item to continue with. */
function providerOf(items: readonly ProviderActivityItem[], counts: boolean, sizes: readonly number[]): ReadPage {
  let reads = 0
  return async ({ cursor, limit }) => {
    const size = sizes[reads++ % sizes.length] || limit
    const at = cursor ?? items[0]?.reference
    const begin = counts ? Number(cursor ?? 0) : items.findIndex(({ reference }) => reference === at)
    const next = items[begin + size]
    return {
      items: items.slice(begin, begin + size),
      next_cursor: next === undefined ? null : counts ? String(begin + size) : next.reference,
    }
  }
}

/** One page, and the written place of the next one. */
async function fill(read: ReadPage, limit: number, written: string | null) {
  const asked = { from: undefined, to: undefined, source: undefined, limit }
  const begin = written === null ? beginning : findPlace(written)
  if (begin === undefined) throw new Error('written in another way')
  const { items, next } = await fillPage(asked, begin, read)
  return { references: items.map(({ reference }) => reference), next: next && writePlace(next) }
}

const references = (items: readonly ProviderActivityItem[]) => items.map(({ reference }) => reference)

test('over random sizes of pages, and items that come in between, each item is shown once, newest first, in full pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        count: fc.integer({ min: 0, max: 60 }),
        limit: fc.integer({ min: 1, max: 25 }),
        counts: fc.boolean(),
        /** 0: as many as requested. */
        sizes: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 2, max: 40 })), { minLength: 1, maxLength: 5 }),
        arrivals: fc.array(fc.nat(3), { maxLength: 10 }),
      }),
      async ({ count, limit, counts, sizes, arrivals }) => {
        const items = numbers(count, 1)
        const read = providerOf(items, counts, sizes)
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const page: Awaited<ReturnType<typeof fill>> = await fill(read, limit, cursor)
          expect(page.references.length).toBe(Math.min(limit, count - seen.length))
          seen.push(...page.references)
          cursor = page.next
          for (let left = arrivals.shift() ?? 0; left > 0; left -= 1) items.unshift(item(1_000 + items.length))
        } while (cursor !== null && seen.length < count)
        expect(seen).toEqual(references(numbers(count, 1)))
      },
    ),
    { numRuns: 300 },
  )
})

test('where the item that was shown last is gone, what is older goes on', async () => {
  const items = numbers(20, 1)
  const read = providerOf(items, true, [40])
  const first = await fill(read, 6, null)
  items.splice(5, 1)
  const second = await fill(read, 6, first.next)
  expect(second.references).toEqual(references(numbers(14, 9)))
})

test.each([1, 5, 19])(
  'of many items of one moment, of which the %i that were shown last are gone, none is shown again and none left out',
  async (gone) => {
    const items = numbers(200, 1).map((each) => ({ ...each, occurred_at: '2026-03-01T10:00:00Z' }))
    const all = references(items)
    const read = providerOf(items, true, [400])
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof fill>> = await fill(read, 30, cursor)
      seen.push(...page.references)
      cursor = page.next
      const last = items.findIndex(({ reference }) => reference === seen.at(-1))
      items.splice(last + 1 - gone, gone)
    } while (cursor !== null)
    expect(seen).toEqual(all)
  },
)

test('an item that was shown and has become older since marks no place, and is not shown again', async () => {
  const items = numbers(20, 1)
  const read = providerOf(items, true, [40])
  const first = await fill(read, 6, null)
  const [moved] = items.splice(2, 1)
  items.push({ ...item(0), reference: moved?.reference ?? '' })
  const second = await fill(read, 100, first.next)
  expect(second).toEqual({ references: references(numbers(14, 1)), next: null })
})

test('where the next page begins is read as it was written, whatever is in the provider’s cursor', () => {
  for (const page of [null, '', '-', ' =\n"x" ', 'Ω'])
    for (const after of [null, { lastMs: -1, digests: [] }, { lastMs: 2, digests: ['abcdefgh', '-_345678'] }])
      expect(findPlace(writePlace({ page, after }))).toEqual({ page, after })
  expect(findPlace('["cursor",null]')).toBeUndefined()
})

test('the longest cursor that a provider may give, left amid movements of one moment, fits into ours', async () => {
  const items = numbers(60, 1).map((each) => ({ ...each, occurred_at: '2026-03-01T10:00:00.123456789+00:00' }))
  const longest = (page: number) => String(page).padEnd(maxProviderCursorBytes, 'x')
  const read: ReadPage = async ({ cursor }) => {
    const begin = cursor === undefined ? 0 : Number.parseInt(cursor, 10)
    return { items: items.slice(begin, begin + 10), next_cursor: begin < 50 ? longest(begin + 10) : null }
  }
  const pages = createActivityPages({ cursors: createCursors(randomBytes(32)), activityKey: randomBytes(32) })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const query = { limit: 7, cursor }
    const page = await pages.get({ list: 'activity', ownerId: 'owner', query }, read)
    seen.push(...page.items.map(({ reference }) => reference))
    cursor = page.next_cursor ?? undefined
    expect(cursor?.length ?? 0).toBeLessThanOrEqual(1_024)
  } while (cursor !== undefined)
  expect(seen).toEqual(items.map(({ reference }) => reference))
})
