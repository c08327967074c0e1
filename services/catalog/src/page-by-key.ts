/** Pages a list in memory, in its order. Cursors hold the key of the last item and are bound to owner and query. */

import { type CursorScope, type Cursors, toPage } from '@financial-agents/contract/cursor'
import { z } from 'zod'

const place = z.strictObject({ after: z.string() })

/** `items` are ordered by `keyOf`, and each has its own key. The page continues after the cursor's key. */
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
