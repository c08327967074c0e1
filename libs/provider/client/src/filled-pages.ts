/**
 * Fills pages of the requested size from a provider's pages of any size. The place of the next page is a page of the provider
 * and the items of it that were shown.
 *
 * Invariant: consecutive pages show each item once as long as the provider lists it. This holds if newer items arrive in
 * between, and if the items shown last are gone.
 */

import { createHash } from 'node:crypto'
import type { ActivityPage, ActivityQuery, ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import { brokenContract } from './reader.ts'

/** The query for a page of the provider, without the person. */
export type ActivityPlace = Pick<ActivityQuery, 'from' | 'to' | 'source' | 'limit' | 'cursor'>

/** The time of the item shown last, and the digests of the shown items in their order. */
type Mark = { readonly lastMs: number; readonly digests: readonly string[] }

/** The page of the provider to continue in (null: the newest), and the items after which to continue. */
export type Place = { readonly page: string | null; readonly after: Mark | null }

/** A filled page, and the place of the next one; null after the last page. */
export type FilledPage = { items: readonly ProviderActivityItem[]; next: Place | null }

/** The place of the newest items. */
export const beginning: Place = { page: null, after: null }

/** The maximum number of reads for one of our pages. With a provider of tiny pages, the client's next request continues. */
const maxReads = 20

/** Fills a page to `asked.limit`, while there are items and `maxReads` allows. */
export async function fillPage(
  asked: Omit<ActivityPlace, 'cursor'>,
  begin: Place,
  read: (place: ActivityPlace) => Promise<ActivityPage>,
): Promise<FilledPage> {
  let { page, after } = begin
  const items: ProviderActivityItem[] = []
  for (let reads = 1; ; reads += 1) {
    const wanted = asked.limit - items.length
    const given = await read({ ...asked, cursor: page ?? undefined, limit: wanted })
    const fresh = unseen(given.items, after)
    const shown = fresh.slice(0, wanted)
    items.push(...shown)
    after = markOf(shown, after)
    if (fresh.length > wanted) return { items, next: { page, after } }
    if (given.next_cursor === null) return { items, next: null }
    page = given.next_cursor
    if (fresh.length === wanted || reads === maxReads) return { items, next: { page, after } }
  }
}

/**
 * The items of a page that come after the last shown one, that are not newer than it, and that were not shown. A shown item
 * whose time has since become older marks no place.
 */
function unseen(page: readonly ProviderActivityItem[], after: Mark | null): readonly ProviderActivityItem[] {
  if (after === null) return page
  const digests = new Set(after.digests)
  const wasShown = (item: ProviderActivityItem) => digests.has(digestOf(item))
  const last = page.findLastIndex((item) => Date.parse(item.occurred_at) >= after.lastMs && wasShown(item))
  return page.slice(last + 1).filter((item) => Date.parse(item.occurred_at) <= after.lastMs && !wasShown(item))
}

/** The mark after these items. @param before the mark before them */
function markOf(items: readonly ProviderActivityItem[], before: Mark | null): Mark | null {
  const last = items.at(-1)
  if (last === undefined) return before
  return { lastMs: Date.parse(last.occurred_at), digests: [...(before?.digests ?? []), ...items.map(digestOf)] }
}

const digestLength = 8

function digestOf({ reference }: ProviderActivityItem): string {
  return createHash('sha256').update(reference).digest('base64url').slice(0, digestLength)
}

/** Bound that keeps the sealed, signed and encoded place within the 1,024 characters of a cursor. */
const maxWrittenBytes = 500

/**
 * The place as text. It holds as many digests as fit: at least twenty beside the longest cursor that a provider may give.
 * @throws Problem response_contract_failed
 */
export function writePlace({ page, after }: Place): string {
  const begin = after === null ? '' : String(after.lastMs)
  const end = page === null ? '-' : `=${page}`
  const room = Math.floor((maxWrittenBytes - Buffer.byteLength(`${begin}  ${end}`)) / digestLength)
  if (room < 1) throw brokenContract(new Error('a cursor of activity is too long'))
  return `${begin} ${(after?.digests ?? []).slice(-room).join('')} ${end}`
}

/** Reads a place; undefined if the text does not have the form of `writePlace`. */
export function findPlace(text: string): Place | undefined {
  const [whole, lastMs, digests = '', page] = /^(-?\d+)? ((?:[\w-]{8})*) (?:-|=(.*))$/s.exec(text) ?? []
  if (whole === undefined) return undefined
  const after = lastMs === undefined ? null : { lastMs: Number(lastMs), digests: digests.match(/.{8}/g) ?? [] }
  return { page: page ?? null, after }
}
