/** A page of what is held in memory, in its order: cursors hold the key of the last item and are bound to owner and query. */

import { type CursorScope, type Cursors, toPage } from '@financial-agents/contract/cursor'
import { z } from 'zod'

const place = z.strictObject({ after: z.string() })

/** `items` are in the order of what `keyOf` says, each with a key of its own; the page goes on where the list was left. */
export function pageByKey<Item>(
  cursors: Cursors,
  scope: CursorScope & { query: { limit: number; cursor?: string | undefined } },
  items: readonly Item[],
  keyOf: (item: Item) => string,
) {
  const { limit, cursor } = scope.query
  const read = cursors.read(scope, place, cursor)
  const rest = read === undefined ? items : items.filter((item) => keyOf(item) > read.after)
  return toPage(rest, limit, (last) => cursors.write(scope, { after: keyOf(last) }))
}
