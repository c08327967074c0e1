import { randomBytes } from 'node:crypto'
import { createCursors } from '@financial-agents/contract/cursor'
import { type ActivityPlace, createActivityPages } from '@financial-agents/provider/activity-pages'
import { maxProviderCursorBytes, type ProviderActivityItem } from '@financial-agents/provider/activity-reads'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillPages, type ReadPage } from './filled-pages.ts'

/** Newest have the highest numbers; three happen at once. */
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
    occurred_at: new Date(Math.floor(number / 3) * 1_000).toISOString(),
  }
}

const numbers = (first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, index) => item(first - index))

/** A provider whose cursors count from the newest item, or name the one to go on with. */
function providerOf(items: readonly ProviderActivityItem[], counts: boolean, sizes: readonly number[]): ReadPage {
  let reads = 0
  return async ({ cursor, limit }) => {
    const size = sizes[reads++ % sizes.length] || limit
    const at = cursor ?? items[0]?.reference
    const begin = counts ? Number(cursor ?? 0) : items.findIndex(({ reference }) => reference === at)
    const next = items[begin + size]
    return {
      items: items.slice(begin, begin + size),
      nextCursor: next === undefined ? null : counts ? String(begin + size) : next.reference,
    }
  }
}

const place: ActivityPlace = { from: undefined, to: undefined, source: undefined, limit: 1, cursor: null }

test('over random sizes of pages, and items that come in between, each item is shown once, newest first, in full pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        count: fc.integer({ min: 0, max: 60 }),
        limit: fc.integer({ min: 1, max: 25 }),
        counts: fc.boolean(),
        /** 0: as many as asked. */
        sizes: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 2, max: 40 })), { minLength: 1, maxLength: 5 }),
        arrivals: fc.array(fc.nat(3), { maxLength: 10 }),
      }),
      async ({ count, limit, counts, sizes, arrivals }) => {
        const items = numbers(count, 1)
        const read = fillPages(providerOf(items, counts, sizes))
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const page = await read({ ...place, limit, cursor })
          expect(page.items.length).toBe(Math.min(limit, count - seen.length))
          seen.push(...page.items.map(({ reference }) => reference))
          cursor = page.nextCursor
          for (let left = arrivals.shift() ?? 0; left > 0; left -= 1) items.unshift(item(1_000 + items.length))
        } while (cursor !== null && seen.length < count)
        expect(seen).toEqual(numbers(count, 1).map(({ reference }) => reference))
      },
    ),
    { numRuns: 300 },
  )
})

test('where the item that was shown last is gone, what is older goes on', async () => {
  const items = numbers(20, 1)
  const read = fillPages(providerOf(items, true, [40]))
  const first = await read({ ...place, limit: 6 })
  items.splice(5, 1)
  const second = await read({ ...place, limit: 6, cursor: first.nextCursor })
  expect(second.items.map(({ reference }) => reference)).toEqual(numbers(14, 9).map(({ reference }) => reference))
})

test('a page that is followed by itself breaks the contract', async () => {
  const read = fillPages(async () => ({ items: [], nextCursor: 'same' }))
  await expect(read(place)).rejects.toMatchObject({ code: 'response_contract_failed' })
})

test('the longest cursor that a provider may give, left amid movements of one moment, fits into ours', async () => {
  const items = numbers(60, 1).map((each) => ({ ...each, occurred_at: '2026-03-01T10:00:00.123456789+00:00' }))
  const longest = (page: number) => String(page).padEnd(maxProviderCursorBytes, 'x')
  const read = fillPages(async ({ cursor }) => {
    const begin = cursor === null ? 0 : Number.parseInt(cursor, 10)
    return { items: items.slice(begin, begin + 10), nextCursor: begin < 50 ? longest(begin + 10) : null }
  })
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
