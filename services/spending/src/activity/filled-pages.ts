/**
 * Pages of the asked size out of a provider's, whatever size those have. Where one was left in its middle, or gives too few, the
 * cursor says in which page of the provider's to go on, and after which item.
 *
 * Invariant: pages that follow each other show each item once as long as the provider lists it, also where newer ones
 * came in between.
 */

import { createHash } from 'node:crypto'
import type { ActivityPlace } from '@financial-agents/provider/activity-pages'
import type { ActivityPage, ProviderActivityItem } from '@financial-agents/provider/activity-reads'
import { brokenContract } from '@financial-agents/provider/reader'
import { z } from 'zod'

export type ReadPage = (place: ActivityPlace) => Promise<ActivityPage>

/** When the item that was shown last happened, and which were shown of that moment: that one last. */
const mark = z.tuple([z.string()], z.string())
type Mark = z.output<typeof mark>

/** The provider's cursor (null: from the newest on), and after which item; short, because a cursor has to be. */
const goingOn = z.tuple([z.string().nullable(), mark.nullable()])

/** Few items happen at one moment, and a cursor has to stay short. */
const maxMarked = 8
/** For one page of ours: a provider that gives next to nothing at a time is gone through by cursors. */
const maxReads = 20

/** A reader of pages that are as large as asked, while there are items; its cursors are its own, and hold the provider's. */
export function fillPages(read: ReadPage): ReadPage {
  return async (place) => {
    let [page, after] = goingOn.parse(place.cursor === null ? [null, null] : JSON.parse(place.cursor))
    const items: ProviderActivityItem[] = []
    for (let reads = 1; ; reads += 1) {
      const wanted = place.limit - items.length
      const given = await read({ ...place, cursor: page, limit: wanted })
      const fresh = unseen(given.items, after, items)
      items.push(...fresh.slice(0, wanted))
      after = markOf(items, after)
      if (fresh.length > wanted) return { items, nextCursor: JSON.stringify([page, after]) }
      if (given.nextCursor === null) return { items, nextCursor: null }
      if (given.nextCursor === page) throw brokenContract(new Error('a page of activity is followed by itself'))
      page = given.nextCursor
      if (fresh.length === wanted || reads === maxReads) return { items, nextCursor: JSON.stringify([page, after]) }
    }
  }
}

/** What of a page comes after the item that was shown last; where that is not in it, what is not newer and was not shown. */
function unseen(page: readonly ProviderActivityItem[], after: Mark | null, shown: readonly ProviderActivityItem[]) {
  if (after === null) return page
  const [moment, ...digests] = after
  const index = page.findIndex((item) => digestOf(item) === digests.at(-1))
  if (index >= 0) return page.slice(index + 1)
  const references = new Set(shown.map(({ reference }) => reference))
  const lastMs = Date.parse(moment)
  return page.filter(
    (item) =>
      Date.parse(item.occurred_at) <= lastMs && !references.has(item.reference) && !digests.includes(digestOf(item)),
  )
}

/** `before`: the mark before these items. */
function markOf(items: readonly ProviderActivityItem[], before: Mark | null): Mark | null {
  const moment = items.at(-1)?.occurred_at
  if (moment === undefined) return before
  const earlier = before?.[0] === moment ? before.slice(1) : []
  const digests = items.filter((item) => item.occurred_at === moment).map(digestOf)
  return [moment, ...[...new Set([...earlier, ...digests])].slice(-maxMarked)]
}

function digestOf({ reference }: ProviderActivityItem): string {
  return createHash('sha256').update(reference).digest('base64url').slice(0, 11)
}
