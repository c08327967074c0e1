/** GET /v1/cards: the owner's cards, newest first, created by any client. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { type Position, position, toPage } from '@financial-agents/contract/cursor'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import type { Dependencies } from '../dependencies.ts'
import { listSettledCards } from '../settled-cards.ts'

export function listCards(dependencies: Dependencies): Handlers<typeof cardsRoutes>['listCards'] {
  return async ({ query }, { principal }) => {
    const scope = { list: 'cards', ownerId: principal.owner_id, query }
    const after = dependencies.cursors.read(scope, position, query.cursor)
    const items = await listSettledCards(dependencies, principal.owner_id, query.limit + 1, after)
    return toPage(items, query.limit, ({ created_at, id }) =>
      dependencies.cursors.write(scope, { created_at, id } satisfies Position),
    )
  }
}
