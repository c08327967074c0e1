/**
 * The cards of the virtual provider. A change takes effect when it is executed, in any order, and a closed card never
 * changes. No two changes of one card have the same time on the provider's clock.
 */

import { cardChanges, kindsOracle } from '@financial-agents/testkit/kinds-oracle'

export type CardState = 'active' | 'frozen' | 'closed'

const makes: ReadonlyMap<string, CardState> = new Map(
  cardChanges.map((kind) => [kind, kindsOracle[kind].shows.succeeded as CardState]),
)

/** The parts of a mutation that concern cards. */
export type CardMutation = { kind: string; target: string | null; upstreamReference: string }

export function createVirtualCards(now: () => Date) {
  const cards = new Map<string, { state: CardState; changedAt: number }>()
  return {
    /** Adds a card that existed before the seed. */
    lay: (reference: string, state: CardState) => void cards.set(reference, { state, changedAt: 0 }),
    stateOf: (reference: unknown) => cards.get(reference as string)?.state,
    /** Returns true if the provider would accept the mutation now. */
    allows: ({ kind, target }: CardMutation): boolean => {
      if (!makes.has(kind)) return true
      const card = cards.get(target ?? '')
      return card !== undefined && (card.state !== 'closed' || makes.get(kind) === 'closed')
    },
    /** Executes the mutation; returns the facts that its record shows besides its state. */
    execute: ({ kind, target, upstreamReference }: CardMutation): Record<string, string> | undefined => {
      if (kind === 'card_create') {
        cards.set(upstreamReference, { state: 'active', changedAt: 0 })
        return { brand: 'visa', last_four: '4242' }
      }
      const state = makes.get(kind)
      const card = cards.get(target ?? '')
      if (state === undefined || card === undefined) return undefined
      card.changedAt = Math.max(now().getTime(), card.changedAt + 1)
      card.state = state
      return state === 'closed' ? undefined : { changed_at: new Date(card.changedAt).toISOString() }
    },
  }
}
