/**
 * Pages of movements, filled from several pages of the provider where needed. Each page of the provider is checked before
 * anything of it is shown. Our cursor holds the provider's cursor, sealed for the owner and the query.
 *
 * Invariant: our cursor reveals nothing of the provider's, and the provider gets only cursors that we sealed.
 */

import { hkdfSync } from 'node:crypto'
import type { CursorScope, Cursors } from '@financial-agents/contract/cursor'
import { fieldsProblem, type Problem } from '@financial-agents/contract/problem'
import type { ActivityPage, ActivityQuery, ProviderActivityItem } from '@financial-agents/provider-port/activity-reads'
import { createSealer, type Sealer } from '@financial-agents/runtime/sealing'
import { z } from 'zod'
import { type ActivityPlace, beginning, fillPage, findPlace, type Place, writePlace } from './filled-pages.ts'
import { brokenContract } from './reader.ts'

/** `from` is inclusive, `to` is exclusive. */
type ActivityPeriod = { from?: string | undefined; to?: string | undefined }

/** @throws Problem validation_failed with the paths `from`, `to` */
function checkPeriod(asked: ActivityPeriod): ActivityPeriod {
  const from = inUtc(asked.from, 'from')
  const to = inUtc(asked.to, 'to')
  if (from !== undefined && to !== undefined && from > to)
    throw fieldsProblem([{ path: 'to', message: 'Send a moment that is not before from.' }])
  return { from, to }
}

function inUtc(timestamp: string | undefined, path: string): string | undefined {
  if (timestamp === undefined) return undefined
  const time = new Date(timestamp).toISOString()
  // An offset can move a time out of the years that RFC 3339 can express.
  if (!/^\d{4}-/.test(time))
    throw fieldsProblem([{ path, message: 'Send a moment that is within the years 0000 to 9999 in UTC.' }])
  return time
}

export type AskedActivity = Pick<ActivityQuery, 'from' | 'to' | 'source' | 'limit'> & { cursor?: string | undefined }

export type { ActivityPlace } from './filled-pages.ts'

export type ActivityPages = {
  /**
   * One page of the provider's items and the cursor of the next page. The page has the requested size if there are as many
   * items. It is shorter if twenty reads of the provider do not fill it.
   * @param asked.list names the route, and the card if the list is of one card
   * @param read reads a page of the provider, of any size, and checks its shape
   * @throws Problem validation_failed with the paths `cursor`, `from`, `to`; response_contract_failed; the errors of `read`
   */
  get(
    asked: { list: string; ownerId: string; query: AskedActivity },
    read: (place: ActivityPlace) => Promise<ActivityPage>,
  ): Promise<{ items: readonly ProviderActivityItem[]; next_cursor: string | null }>
}

const sealedCursor = z.base64url()

/** @param options.activityKey the key of the identifiers; the key that seals cursors is derived from it */
export function createActivityPages(options: { cursors: Cursors; activityKey: Buffer }): ActivityPages {
  const { cursors } = options
  const key = Buffer.from(hkdfSync('sha256', options.activityKey, '', 'cursors of activity', 32))
  const sealer = createSealer([{ id: 'a', key }])

  function open(scope: CursorScope, cursor: string | undefined): Place {
    const sealed = cursors.read(scope, sealedCursor, cursor)
    if (sealed === undefined) return beginning
    const place = findPlace(openedBy(sealer, sealed, scope))
    if (!place) throw ofNoUse()
    return place
  }

  function close(scope: CursorScope, place: Place | null): string | null {
    if (place === null) return null
    return cursors.write(scope, sealer.seal(Buffer.from(writePlace(place)), contextOf(scope)).toString('base64url'))
  }

  return {
    get: async ({ list, ownerId, query }, read) => {
      const { cursor: given, limit, source, ...period } = query
      const scope = { list, ownerId, query }
      const { items, next } = await fillPage(
        { ...checkPeriod(period), source, limit },
        open(scope, given),
        async (place) => {
          const page = await read(place)
          validate(page, place)
          return page
        },
      )
      return { items, next_cursor: close(scope, next) }
    },
  }
}

/** @throws Problem response_contract_failed */
function validate({ items, next_cursor }: ActivityPage, { from, to, source, cursor }: ActivityPlace): void {
  // A provider with times in whole seconds also lists movements of the whole first second.
  const first = from === undefined ? Number.NEGATIVE_INFINITY : Math.floor(Date.parse(from) / 1_000) * 1_000
  const end = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to)
  const times = items.map((item) => Date.parse(item.occurred_at))
  const wrong =
    (new Set(items.map((item) => item.reference)).size < items.length && 'names a movement twice') ||
    (items.some((item) => item.source !== (source ?? item.source)) && 'has a movement of another source') ||
    (times.some((time) => !(time >= first && time < end)) && 'has a movement outside of the period') ||
    (times.some((time, index) => time > (times[index - 1] ?? time)) && 'is not newest first') ||
    (next_cursor !== null && next_cursor === cursor && 'is followed by itself')
  if (wrong) throw brokenContract(new Error(`a page of activity ${wrong}`))
}

function openedBy(sealer: Sealer, sealed: string, scope: CursorScope): string {
  try {
    return sealer.open(Buffer.from(sealed, 'base64url'), contextOf(scope)).toString()
  } catch {
    throw ofNoUse()
  }
}

function ofNoUse(): Problem {
  return fieldsProblem([
    { path: 'cursor', message: 'Leave the cursor out to start anew: this one is of no use any more.' },
  ])
}

function contextOf({ list, ownerId, query }: CursorScope): string {
  const asked = Object.entries(query).filter(([name, value]) => name !== 'cursor' && value !== undefined)
  return JSON.stringify([list, ownerId, asked.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}
