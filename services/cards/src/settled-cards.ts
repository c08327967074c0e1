/** Reads of cards that show no card as pending whose operation has its outcome. */

import type { Position } from '@financial-agents/contract/cursor'
import type { Card } from '@financial-agents/contract/schemas/card'
import { readSettled } from '@financial-agents/writes/read-settled'
import { acceptedOperations } from './card-standing.ts'
import { findCard, findNamedCard, listCards, type NamedCard } from './card-store.ts'
import type { Dependencies } from './dependencies.ts'

/** As `findCard`. */
export function findSettledCard(dependencies: Dependencies, ownerId: string, id: string): Promise<Card | undefined> {
  const read = () => findCard(dependencies.db, ownerId, id)
  return readSettled(dependencies, read, (card) => pendingOf(card ? [card] : []))
}

/** As `findNamedCard`. */
export function findSettledNamedCard(
  dependencies: Dependencies,
  ownerId: string,
  id: string,
): Promise<NamedCard | undefined> {
  const read = () => findNamedCard(dependencies.db, ownerId, id)
  return readSettled(dependencies, read, (card) => (card ? acceptedOperations(card) : []))
}

/** As `listCards`. */
export function listSettledCards(
  dependencies: Dependencies,
  ownerId: string,
  limit: number,
  after: Position | undefined,
): Promise<Card[]> {
  return readSettled(dependencies, () => listCards(dependencies.db, ownerId, limit, after), pendingOf)
}

function pendingOf(cards: readonly Card[]): string[] {
  return cards.flatMap(({ pending_operation_id }) => pending_operation_id ?? [])
}
