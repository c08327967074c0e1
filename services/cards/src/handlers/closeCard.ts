/** POST /v1/cards/{card_id}/close. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { cardClose } from '../card-writes.ts'
import type { Parts } from '../parts.ts'
import { performChange } from '../perform-change.ts'

export function closeCard(parts: Parts): Handlers<typeof cardsRoutes>['closeCard'] {
  return ({ params }, context) => performChange(parts, cardClose, params.card_id, context)
}
