/** Cases of activity: pages are complete, without repetition, newest first, and hold exactly the movements of the query. */

import assert from 'node:assert/strict'
import type { ActivityQuery, ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import type { CallContext } from '@financial-agents/provider-port/port'
import { checkDistinct, checkNewestFirst, dataOf } from './read-checks.ts'
import type { ReadCase, ReadHarness } from './read-harness.ts'

type Filter = Omit<ActivityQuery, keyof CallContext | 'cursor' | 'limit'>

const fewest = 20
const sources = ['account', 'card', 'spending'] as const

export const activityCases: readonly ReadCase[] = [
  {
    name: 'activity: pages of any size are complete, without repetition, newest first',
    needs: [],
    async run(harness) {
      const { all, filter } = await upToNow(harness)
      checkDistinct(referencesOf(all))
      checkNewestFirst(all.map(({ occurred_at }) => occurred_at))
      assert.deepEqual(referencesOf(await readAll(harness, filter, 7)), referencesOf(all))
    },
  },
  {
    name: 'activity: a page that is asked for again is the same',
    needs: [],
    async run(harness) {
      const { filter } = await upToNow(harness)
      const first = await readPage(harness, filter, null)
      assert(first.next_cursor !== null)
      const second = await readPage(harness, filter, first.next_cursor)
      assert.deepEqual(
        referencesOf((await readPage(harness, filter, first.next_cursor)).items),
        referencesOf(second.items),
      )
    },
  },
  {
    name: 'activity: a period begins with its first moment and ends before its last',
    needs: [],
    async run(harness) {
      const { all } = await upToNow(harness)
      const to = all[Math.floor(all.length / 4)]?.occurred_at
      const from = all[Math.floor((all.length * 3) / 4)]?.occurred_at
      assert(from !== undefined && to !== undefined && from < to, 'the harness has all activity at one moment')
      const within = all.filter(({ occurred_at }) => occurred_at >= from && occurred_at < to)
      assert.deepEqual(referencesOf(await readAll(harness, { from, to }, 7)), referencesOf(within))
    },
  },
  {
    name: 'activity: of one source is all of that source and nothing else',
    needs: [],
    async run(harness) {
      const { all, filter } = await upToNow(harness)
      for (const source of sources) {
        const expected = all.filter((item) => item.source === source)
        assert(expected.length > 0, `the harness has no activity of the source ${source}`)
        assert.deepEqual(referencesOf(await readAll(harness, { ...filter, source }, 25)), referencesOf(expected))
      }
    },
  },
  {
    name: 'activity: of one card is of cards, and part of the whole',
    needs: [],
    async run(harness) {
      const { all, filter } = await upToNow(harness)
      const ofCard = await readAll(harness, { ...filter, card_reference: harness.card.upstreamReference }, 25)
      assert(ofCard.length > 0, 'the harness has a card that was never used')
      assert(ofCard.every(({ source }) => source === 'card'))
      const whole = new Set(referencesOf(all))
      assert(referencesOf(ofCard).every((reference) => whole.has(reference)))
      assert(ofCard.length < all.length)
    },
  },
  {
    name: 'activity: is nobody else’s',
    needs: [],
    async run(harness) {
      const { all } = await upToNow(harness)
      const others = await readAll({ ...harness, person: harness.stranger }, {}, 100)
      assert(others.length > 0, 'the harness’s stranger has no activity')
      checkDistinct([...referencesOf(all), ...referencesOf(others)])
    },
  },
  {
    name: 'activity: a cursor of another query, of somebody else or of nobody is not taken for one of this',
    needs: [],
    async run(harness) {
      const { provider, person, stranger } = harness
      const { filter } = await upToNow(harness)
      const { next_cursor: cursor } = await readPage(harness, filter, null)
      assert(cursor !== null)
      const asked = { ...person, ...filter, cursor, limit: 7 }
      const foreign: readonly ActivityQuery[] = [
        { ...asked, source: 'card' },
        { ...asked, card_reference: harness.card.upstreamReference },
        { ...asked, from: '2000-01-01T00:00:00.000Z' },
        { ...asked, ...stranger },
        { ...asked, cursor: 'nobody' },
      ]
      for (const query of foreign) assert.notEqual((await provider.activity(query)).type, 'ok')
    },
  },
]

/** All movements up to the newest one of now. Movements that arrive during the case then change nothing. */
async function upToNow(harness: ReadHarness): Promise<{ all: readonly ProviderActivityItem[]; filter: Filter }> {
  const newest = (await readPage(harness, {}, null)).items[0]?.occurred_at
  assert(newest !== undefined, 'the harness’s person has no activity')
  const filter = { to: new Date(Date.parse(newest) + 1).toISOString() }
  const all = await readAll(harness, filter, 100)
  assert(all.length >= fewest, `the harness’s person needs ${fewest} movements`)
  return { all, filter }
}

async function readAll(harness: ReadHarness, filter: Filter, limit: number): Promise<readonly ProviderActivityItem[]> {
  const all: ProviderActivityItem[] = []
  const seen = new Set<string | null>()
  for (let cursor: string | null = null; !seen.has(cursor); ) {
    seen.add(cursor)
    const page = await readPage(harness, filter, cursor, limit)
    all.push(...page.items)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
  return assert.fail('the pages lead back to one that was there before')
}

async function readPage({ provider, person }: ReadHarness, filter: Filter, cursor: string | null, limit = 7) {
  return dataOf(await provider.activity({ ...person, ...filter, limit, cursor: cursor ?? undefined }))
}

function referencesOf(items: readonly ProviderActivityItem[]): readonly string[] {
  return items.map(({ reference }) => reference)
}
