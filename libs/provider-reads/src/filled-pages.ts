/**
 * Pages of the asked size out of a provider's, whatever size those have. Where one was left in its middle, or gives too few,
 * it is said in which page of the provider's to go on, and after which items.
 *
 * Invariant: pages that follow each other show each item once as long as the provider lists it, also where newer ones
 * came in between, or those that were shown last are gone.
 */

import { createHash } from 'node:crypto'
import type { ActivityPage, ActivityQuery, ProviderActivityItem } from '@financial-agents/provider/activity-reads'
import { brokenContract } from './reader.ts'

/** What the provider is asked, beside whose it is. */
export type ActivityPlace = Pick<ActivityQuery, 'from' | 'to' | 'source' | 'limit' | 'cursor'>

/** When the item that was shown last happened, and the digests of those that were shown, in their order. */
type Mark = { readonly lastMs: number; readonly digests: readonly string[] }

/** In which page of the provider's (null: the newest) to go on, and after what. */
export type Place = { readonly page: string | null; readonly after: Mark | null }

/** A filled page, and where the next one begins; null: that was all. */
export type FilledPage = { items: readonly ProviderActivityItem[]; next: Place | null }

/** Where the newest items are. */
export const beginning: Place = { page: null, after: null }

/** For one page of ours: a provider that gives next to nothing at a time is gone through by cursors. */
const maxReads = 20

/** A page that is as large as asked, while there are items. */
export async function fillPage(
  asked: Omit<ActivityPlace, 'cursor'>,
  begin: Place,
  read: (place: ActivityPlace) => Promise<ActivityPage>,
): Promise<FilledPage> {
  let { page, after } = begin
  const items: ProviderActivityItem[] = []
  for (let reads = 1; ; reads += 1) {
    const wanted = asked.limit - items.length
    const given = await read({ ...asked, cursor: page, limit: wanted })
    const fresh = unseen(given.items, after)
    const shown = fresh.slice(0, wanted)
    items.push(...shown)
    after = markOf(shown, after)
    if (fresh.length > wanted) return { items, next: { page, after } }
    if (given.nextCursor === null) return { items, next: null }
    page = given.nextCursor
    if (fresh.length === wanted || reads === maxReads) return { items, next: { page, after } }
  }
}

/**
 * What of a page comes after the last of it that was shown, and is neither newer than that nor was shown itself. One that has
 * become older since marks no place.
 */
function unseen(page: readonly ProviderActivityItem[], after: Mark | null): readonly ProviderActivityItem[] {
  if (after === null) return page
  const digests = new Set(after.digests)
  const wasShown = (item: ProviderActivityItem) => digests.has(digestOf(item))
  const last = page.findLastIndex((item) => Date.parse(item.occurred_at) >= after.lastMs && wasShown(item))
  return page.slice(last + 1).filter((item) => Date.parse(item.occurred_at) <= after.lastMs && !wasShown(item))
}

/** `before`: the mark before these items. */
function markOf(items: readonly ProviderActivityItem[], before: Mark | null): Mark | null {
  const last = items.at(-1)
  if (last === undefined) return before
  return { lastMs: Date.parse(last.occurred_at), digests: [...(before?.digests ?? []), ...items.map(digestOf)] }
}

const digestLength = 8

function digestOf({ reference }: ProviderActivityItem): string {
  return createHash('sha256').update(reference).digest('base64url').slice(0, digestLength)
}

/** Sealed, signed and written, no more than the 1,024 characters of a cursor. */
const maxWrittenBytes = 500

/**
 * As text, with the digests of as many items as there is room for: at least twenty beside the longest cursor that a provider
 * may give.
 * @throws Problem response_contract_failed
 */
export function writePlace({ page, after }: Place): string {
  const begin = after === null ? '' : String(after.lastMs)
  const end = page === null ? '-' : `=${page}`
  const room = Math.floor((maxWrittenBytes - Buffer.byteLength(`${begin}  ${end}`)) / digestLength)
  if (room < 1) throw brokenContract(new Error('a cursor of activity is too long'))
  return `${begin} ${(after?.digests ?? []).slice(-room).join('')} ${end}`
}

/** Undefined where it was not written by `writePlace`. */
export function findPlace(text: string): Place | undefined {
  const [whole, lastMs, digests = '', page] = /^(-?\d+)? ((?:[\w-]{8})*) (?:-|=(.*))$/s.exec(text) ?? []
  if (whole === undefined) return undefined
  const after = lastMs === undefined ? null : { lastMs: Number(lastMs), digests: digests.match(/.{8}/g) ?? [] }
  return { page: page ?? null, after }
}
