/** GET /v1/cards/{card_id}. Another owner's card gets the same answer as a missing one. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import type { Dependencies } from '../dependencies.ts'
import { findSettledCard } from '../settled-cards.ts'

export function getCard(dependencies: Dependencies): Handlers<typeof cardsRoutes>['getCard'] {
  return async ({ params }, { principal }) => {
    const card = await findSettledCard(dependencies, principal.owner_id, params.card_id)
    if (!card) throw new Problem('card_not_found')
    return card
  }
}
