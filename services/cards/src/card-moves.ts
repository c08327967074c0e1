/**
 * What becomes of a card with its operation: pure, from the row and a move of the write to the row afterwards.
 * Moves of operations that are not the card's own change nothing.
 */

import { eventsOfMove } from '@financial-agents/writes/events-of-move'
import type { Move } from '@financial-agents/writes/write'
import { z } from 'zod'
import { applyToCard, type CardAction, type Standing } from './card-machine.ts'

/** What a move may change, and by what it is known. */
export type CardRow = Standing & {
  id: string
  operation_id: string
  pending_operation_id: string | null
  upstream_reference: string | null
  brand: string | null
  last_four: string | null
  /** When it was last seen to change, RFC 3339; null: it was not. */
  moved_at: string | null
}

const facts = z.object({
  brand: z.string().min(1).max(40).nullable().catch(null),
  last_four: z
    .string()
    .regex(/^\d{4}$/)
    .nullable()
    .catch(null),
})

/** The card after the move; undefined where it changes nothing. */
export function afterMove(action: CardAction, card: CardRow, move: Move): CardRow | undefined {
  const own = action === 'create' ? card.operation_id : card.pending_operation_id
  if (own !== move.operation_id) return undefined
  // A change that was never accepted was never seen.
  if (move.to === 'void' && action !== 'create') return { ...card, pending_operation_id: null }
  let standing: Standing = card
  for (const event of eventsOfMove(action, move)) {
    const next = applyToCard(standing, event)
    if (!next) return undefined
    standing = next
  }
  const moved = { ...card, ...standing, moved_at: move.at }
  if (move.to === 'accepted') return moved
  const settled = { ...moved, pending_operation_id: null }
  return action === 'create' && move.to === 'succeeded' ? { ...settled, ...madeOf(move) } : settled
}

/** What only the provider knows of a card, as far as it can be shown. */
function madeOf({ upstream_reference, resource }: Move): Pick<CardRow, 'upstream_reference' | 'brand' | 'last_four'> {
  return { upstream_reference, ...facts.parse(resource ?? {}) }
}
