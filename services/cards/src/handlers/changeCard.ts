/**
 * POST /v1/cards/{card_id}/freeze, …/unfreeze, …/close: every change of the machine has a route of its name. The handler
 * finds the card and requires its reference at the provider.
 */

import type { HandlerContext, Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { Acceptance } from '@financial-agents/contract/route'
import type { cardsRoutes } from '@financial-agents/contract/routes/cards'
import { performWrite } from '@financial-agents/writes/perform'
import type { CardChange } from '../card-machine.ts'
import { findRefusal } from '../card-refusals.ts'
import { type CardChangeKind, changeWrites } from '../card-writes.ts'
import type { Dependencies } from '../dependencies.ts'
import { findSettledNamedCard } from '../settled-cards.ts'

type Handler = (input: { params: { card_id: string } }, context: HandlerContext) => Promise<Acceptance>
type Changes = Pick<Handlers<typeof cardsRoutes>, `${CardChange}Card`>

export function changeCard(dependencies: Dependencies): Changes {
  const writes: readonly CardChangeKind[] = Object.values(changeWrites)
  const handlers = writes.map((write) => [`${write.change}Card`, handle(dependencies, write)] as const)
  return Object.fromEntries(handlers) as Record<keyof Changes, Handler>
}

/** @throws Problem card_not_found; every refusal by state is validated again under the card's lock */
function handle(dependencies: Dependencies, kind: CardChangeKind): Handler {
  return ({ params }, context) =>
    performWrite(dependencies, kind, context, async () => {
      const card = await findSettledNamedCard(dependencies, context.principal.owner_id, params.card_id)
      if (!card) throw new Problem('card_not_found')
      const { id, upstream_reference } = card
      // The card had no reference when it was read, so it was not active then, even if it has become active since.
      if (upstream_reference === null) throw findRefusal(kind.change, card) ?? new Problem('card_not_active')
      return { resource_id: id, input: null, payload: {}, target_reference: upstream_reference }
    })
}
