/**
 * The cards of the virtual provider: each change takes effect when it is executed, in whatever order that is, and nothing leaves
 * a closed card. The provider's clock never says the same moment twice for one card.
 */

import type { KindOfArea } from '@financial-agents/operation-machine/kinds'

export type CardState = 'active' | 'frozen' | 'closed'

export type CardChange = Exclude<KindOfArea<'cards'>, 'card_create'>

const makes: Readonly<Record<string, CardState>> = {
  card_freeze: 'frozen',
  card_unfreeze: 'active',
  card_close: 'closed',
} satisfies Record<CardChange, CardState>

/** A mutation as far as cards mind it. */
export type CardMutation = { kind: string; target: string | null; upstreamReference: string }

export function createVirtualCards(now: () => Date) {
  const cards = new Map<string, { state: CardState; changedAt: number }>()
  return {
    /** From before the seed. */
    lay: (reference: string, state: CardState) => void cards.set(reference, { state, changedAt: 0 }),
    stateOf: (reference: unknown) => cards.get(reference as string)?.state,
    /** Whether the provider would take the mutation as things stand. */
    allows: ({ kind, target }: CardMutation): boolean => {
      if (makes[kind] === undefined) return true
      const card = cards.get(target ?? '')
      return card !== undefined && (card.state !== 'closed' || kind === 'card_close')
    },
    /** Executes it; answers what its record tells beyond its state. */
    execute: ({ kind, target, upstreamReference }: CardMutation): Record<string, string> | undefined => {
      if (kind === 'card_create') {
        cards.set(upstreamReference, { state: 'active', changedAt: 0 })
        return { brand: 'visa', last_four: '4242' }
      }
      const state = makes[kind]
      const card = cards.get(target ?? '')
      if (state === undefined || card === undefined) return undefined
      card.changedAt = Math.max(now().getTime(), card.changedAt + 1)
      card.state = state
      return kind === 'card_close' ? undefined : { changed_at: new Date(card.changedAt).toISOString() }
    },
  }
}
