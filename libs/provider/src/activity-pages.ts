/**
 * Pages of movements: one page of the provider's for one of ours, judged before anything of it is shown. Our cursor holds the
 * provider's, sealed for the owner and the query.
 *
 * Invariant: nothing of the provider's cursor can be read from ours, and nobody but us made what is sent on to the provider.
 */

import { hkdfSync } from 'node:crypto'
import type { CursorScope, Cursors } from '@financial-agents/contract/cursor'
import { fieldsProblem } from '@financial-agents/contract/problem'
import { createSealer } from '@financial-agents/runtime/sealing'
import { z } from 'zod'
import { checkPeriod } from './activity-period.ts'
import type { ActivityPage, ActivityQuery, ProviderActivityItem } from './activity-reads.ts'
import { brokenContract } from './reader.ts'

/** What a client asks of a list of activity. */
export type AskedActivity = Pick<ActivityQuery, 'from' | 'to' | 'source' | 'limit'> & { cursor?: string | undefined }

/** What the provider is asked, beside whose it is. */
export type ActivityPlace = Pick<ActivityQuery, 'from' | 'to' | 'source' | 'limit' | 'cursor'>

/** Reads pages. */
export type ActivityPages = {
  /**
   * One page, of the provider's words, with the cursor of the next.
   * @param list names the route, and the card where it is of one
   * @param read asks the provider
   * @throws Problem validation_failed with the paths `cursor`, `from`, `to`; response_contract_failed; what `read` throws
   */
  get(
    asked: { list: string; ownerId: string; query: AskedActivity },
    read: (place: ActivityPlace) => Promise<ActivityPage>,
  ): Promise<{ items: readonly ProviderActivityItem[]; next_cursor: string | null }>
}

const sealedCursor = z.base64url()
/** A cursor of the provider's, with what whoever reads it adds; sealed, signed and written, no more than 1,024 characters. */
const maxSealedBytes = 500

/** @param options.activityKey the key of the identifiers; the seal's is derived from it */
export function createActivityPages(options: { cursors: Cursors; activityKey: Buffer }): ActivityPages {
  const { cursors } = options
  const key = Buffer.from(hkdfSync('sha256', options.activityKey, '', 'cursors of activity', 32))
  const sealer = createSealer([{ id: 'a', key }])

  function open(scope: CursorScope, cursor: string | undefined): string | null {
    const sealed = cursors.read(scope, sealedCursor, cursor)
    if (sealed === undefined) return null
    try {
      return sealer.open(Buffer.from(sealed, 'base64url'), contextOf(scope)).toString()
    } catch {
      throw fieldsProblem([
        { path: 'cursor', message: 'Leave the cursor out to start anew: this one is of no use any more.' },
      ])
    }
  }

  function close(scope: CursorScope, cursor: string | null): string | null {
    if (cursor === null) return null
    const plain = Buffer.from(cursor)
    if (plain.length > maxSealedBytes) throw brokenContract(new Error('a cursor of activity is too long'))
    return cursors.write(scope, sealer.seal(plain, contextOf(scope)).toString('base64url'))
  }

  return {
    get: async ({ list, ownerId, query }, read) => {
      const { cursor: given, limit, source, ...period } = query
      const scope = { list, ownerId, query }
      const place = { ...checkPeriod(period), source, limit, cursor: open(scope, given) }
      const page = await read(place)
      judge(page, place)
      return { items: page.items, next_cursor: close(scope, page.nextCursor) }
    },
  }
}

/** @throws Problem response_contract_failed */
function judge({ items, nextCursor }: ActivityPage, { from, to, source, limit, cursor }: ActivityPlace): void {
  // Providers that give whole seconds alone still list what happened within the first one.
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Math.floor(Date.parse(from) / 1_000) * 1_000
  const end = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to)
  const times = items.map((item) => Date.parse(item.occurred_at))
  const wrong =
    (items.length > limit && 'is longer than was asked for') ||
    (new Set(items.map((item) => item.reference)).size < items.length && 'names a movement twice') ||
    (items.some((item) => item.source !== (source ?? item.source)) && 'has a movement of another source') ||
    (times.some((time) => !(time >= first && time < end)) && 'has a movement outside of the period') ||
    (times.some((time, index) => time > (times[index - 1] ?? time)) && 'is not newest first') ||
    (nextCursor !== null && nextCursor === cursor && 'is followed by itself')
  if (wrong) throw brokenContract(new Error(`a page of activity ${wrong}`))
}

function contextOf({ list, ownerId, query }: CursorScope): string {
  const asked = Object.entries(query).filter(([name, value]) => name !== 'cursor' && value !== undefined)
  return JSON.stringify([list, ownerId, asked.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}
