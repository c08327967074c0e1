/** Cards with invented numbers. One table defines their states. Only the hosted page shows a whole number. */

import type { RecordBase, RecordOf } from './records.ts'
import { type Card, type CardAction, type CardState, type CardTerms } from './resources.ts'
import { createStateful, type Moves } from './stateful.ts'
import type { TestUser } from './test-users.ts'
import type { World } from './world.ts'

export const cardMoves: Moves<CardState, CardAction> = {
  freeze: { active: 'frozen', frozen: 'frozen' },
  unfreeze: { active: 'active', frozen: 'active' },
  close: { active: 'closed', frozen: 'closed', closed: 'closed' },
}

/** The reason why the provider refuses the card; undefined if it accepts. */
export function validateCard(world: World, { id, cards }: TestUser, { type, currency }: CardTerms): string | undefined {
  if (!cards.types.includes(type)) return 'card_type_not_offered'
  if (!cards.currencies.includes(currency)) return 'currency_not_offered'
  if (cards.most === null) return undefined
  const kept = (world.cardsOf.get(id) ?? []).filter(
    ({ content }) => !['closed', 'failed'].includes(content.standing.state()),
  )
  return kept.length >= cards.most ? 'too_many_cards' : undefined
}

export function keepCard(world: World, { cards }: TestUser, record: RecordBase, terms: CardTerms): RecordOf<Card> {
  let kept: RecordOf<Card> | undefined
  const standing = createStateful<CardState, CardAction>('active', cardMoves, () => kept)
  const mine = world.cardsOf.get(record.testUser) ?? []
  const number = `${cards.brand === 'visa' ? '40000077' : '55550077'}${String(10_004_021 + mine.length)}`
  kept = world.cards.add({ ...record, content: { terms, brand: cards.brand, number, standing, taken: [] } })
  world.cardsOf.set(record.testUser, mine)
  mine.push(kept)
  return kept
}
