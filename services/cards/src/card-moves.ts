/**
 * Moves a card with its operations: a pure function from the row and a move to the new row. Moves of operations that
 * are not the card's own change nothing.
 */

import { eventsOfMove } from '@financial-agents/writes/events-of-move'
import type { Move, MoveTo } from '@financial-agents/writes/write'
import { z } from 'zod'
import { applyToChange, applyToCreation, type CardAction, type ChangeEvent } from './card-machine.ts'
import { type CardStanding, shownOperation } from './card-standing.ts'

/** The columns that a move may change, and those that identify the card. */
export type CardRow = CardStanding & {
  id: string
  upstream_reference: string | null
  brand: string | null
  last_four: string | null
  /** The time of the last observed change, RFC 3339; null if there was none. */
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

const changeFacts = z.object({
  changed_at: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text).toISOString())
    .nullable()
    .catch(null),
})

/** Returns undefined if the move changes nothing. */
export function afterMove(action: CardAction, card: CardRow, move: Move): CardRow | undefined {
  return action === 'create' ? afterCreation(card, move) : afterChange(card, move)
}

function afterCreation(card: CardRow, move: Move): CardRow | undefined {
  if (card.operation_id !== move.operation_id) return undefined
  let state = card.state
  for (const event of eventsOfMove('create', move)) {
    const next = applyToCreation(state, event)
    if (!next) return undefined
    state = next
  }
  const moved = { ...card, state, moved_at: move.at }
  return move.to === 'succeeded' ? { ...moved, ...madeOf(move) } : moved
}

function afterChange(card: CardRow, move: Move): CardRow | undefined {
  if (move.to === 'gone') return undefined
  const { changed_at } = changeFacts.parse(move.resource ?? {})
  const standing = applyToChange(card, move.operation_id, changeEvents[move.to], changed_at)
  if (!standing) return undefined
  const after = { ...card, ...standing }
  const isSeen = after.state !== card.state || shownOperation(after) !== shownOperation(card)
  return { ...after, moved_at: isSeen ? move.at : card.moved_at }
}

const changeEvents = {
  accepted: 'accepted',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'failed',
  void: 'failed',
} as const satisfies Record<Exclude<MoveTo, 'gone'>, ChangeEvent>

/** The provider's facts about a card, as far as the API shows them. */
function madeOf({ upstream_reference, resource }: Move): Pick<CardRow, 'upstream_reference' | 'brand' | 'last_four'> {
  return { upstream_reference, ...facts.parse(resource ?? {}) }
}
