/** POST /v1/cards/{card_id}/freeze. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { cardFreeze } from '../card-writes.ts'
import type { Parts } from '../parts.ts'
import { performChange } from '../perform-change.ts'

export function freezeCard(parts: Parts): Handlers<typeof cardsRoutes>['freezeCard'] {
  return ({ params }, context) => performChange(parts, cardFreeze, params.card_id, context)
}
