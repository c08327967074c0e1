/** POST /v1/cards/{card_id}/unfreeze. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { cardUnfreeze } from '../card-writes.ts'
import type { Parts } from '../parts.ts'
import { performChange } from '../perform-change.ts'

export function unfreezeCard(parts: Parts): Handlers<typeof cardsRoutes>['unfreezeCard'] {
  return ({ params }, context) => performChange(parts, cardUnfreeze, params.card_id, context)
}
