/** Reads of cards that show no card as pending whose operation has its outcome. */

import type { Position } from '@financial-agents/contract/cursor'
import type { Card } from '@financial-agents/contract/schemas/card'
import { readSettled } from '@financial-agents/writes/read-settled'
import { acceptedOperations } from './card-standing.ts'
import { findCard, findNamedCard, listCards, type NamedCard } from './card-store.ts'
import type { Parts } from './parts.ts'

/** As `findCard`. */
export function findSettledCard(parts: Parts, ownerId: string, id: string): Promise<Card | undefined> {
  const read = () => findCard(parts.db, ownerId, id)
  return readSettled(parts, read, (card) => pendingOf(card ? [card] : []))
}

/** As `findNamedCard`. */
export function findSettledNamedCard(parts: Parts, ownerId: string, id: string): Promise<NamedCard | undefined> {
  const read = () => findNamedCard(parts.db, ownerId, id)
  return readSettled(parts, read, (card) => (card ? acceptedOperations(card) : []))
}

/** As `listCards`. */
export function listSettledCards(
  parts: Parts,
  ownerId: string,
  limit: number,
  after: Position | undefined,
): Promise<Card[]> {
  return readSettled(parts, () => listCards(parts.db, ownerId, limit, after), pendingOf)
}

function pendingOf(cards: readonly Card[]): string[] {
  return cards.flatMap(({ pending_operation_id }) => pending_operation_id ?? [])
}
