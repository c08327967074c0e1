/** GET /v1/cards/{card_id}. Another owner's card gets the same answer as a missing one. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import type { Parts } from '../parts.ts'
import { findSettledCard } from '../settled-cards.ts'

export function getCard(parts: Parts): Handlers<typeof cardsRoutes>['getCard'] {
  return async ({ params }, { principal }) => {
    const card = await findSettledCard(parts, principal.owner_id, params.card_id)
    if (!card) throw new Problem('card_not_found')
    return card
  }
}
