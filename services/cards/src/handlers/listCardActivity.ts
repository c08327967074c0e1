/**
 * GET /v1/cards/{card_id}/activity: the movements of the owner's card, newest first, sanitised, with our own
 * identifiers alone.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import type { ActivityPage } from '@financial-agents/provider-port/activity-reads'
import type { Dependencies } from '../dependencies.ts'
import { findSettledNamedCard } from '../settled-cards.ts'

const nothing: ActivityPage = { items: [], next_cursor: null }

export function listCardActivity(dependencies: Dependencies): Handlers<typeof cardsRoutes>['listCardActivity'] {
  return async ({ params, query }, context) => {
    const { owner_id: ownerId, subject } = context.principal
    const card = await findSettledNamedCard(dependencies, ownerId, params.card_id)
    if (!card) throw new Problem('card_not_found')
    const reference = card.upstream_reference
    const list = `activity of card ${card.id}`
    const page = await dependencies.activityPages.get(
      { list, ownerId, query: { ...query, source: 'card' } },
      async (place) =>
        // A card that the provider has not made has no movements.
        reference === null ? nothing : dependencies.activityRead.get(context, { ...place, card_reference: reference }),
    )
    return {
      items: page.items.map((item) => dependencies.activityView.showOnCard(subject, item, card.id)),
      next_cursor: page.next_cursor,
    }
  }
}
