/** GET /v1/cards: the owner's, newest first, whichever client made them. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { toPage } from '@financial-agents/contract/cursor'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { z } from 'zod'
import { listCards as list, type Position } from '../card-store.ts'
import type { Parts } from '../parts.ts'

const position = z.strictObject({ created_at: z.iso.datetime(), id: z.guid() })

export function listCards(parts: Parts): Handlers<typeof cardsRoutes>['listCards'] {
  return async ({ query }, { principal }) => {
    const scope = { list: 'cards', ownerId: principal.owner_id, query }
    const after = parts.cursors.read(scope, position, query.cursor)
    const items = await list(parts.db, principal.owner_id, query.limit + 1, after)
    return toPage(items, query.limit, ({ created_at, id }) =>
      parts.cursors.write(scope, { created_at, id } satisfies Position),
    )
  }
}
