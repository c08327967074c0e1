/** The clients' requests about cards: changes of a card that existed before the seed, and new cards. */

import { createHash } from 'node:crypto'
import type { KindOfArea } from '@financial-agents/contract/kinds'
import type { Principal } from '@financial-agents/contract/principal'
import type { CardState } from '../virtual/provider-cards.ts'
import type { World } from './world.ts'
import { draw, lay, requestOf, type Write } from './write.ts'

type ChangeOf<Kind> = Kind extends `card_${infer Change}` ? Exclude<Change, 'create'> : never
type Change = ChangeOf<KindOfArea<'cards'>>

/** Sequences of changes that a client requests for a card. Lost, late and refused requests make them overlap. */
const courses: Readonly<Record<'active' | 'frozen', readonly (readonly Change[])[]>> = {
  active: [
    ['freeze', 'close'],
    ['freeze', 'unfreeze', 'freeze'],
    ['freeze', 'freeze', 'close'],
    ['close', 'freeze'],
  ],
  frozen: [
    ['unfreeze', 'freeze'],
    ['unfreeze', 'freeze', 'close'],
    ['unfreeze', 'freeze', 'freeze', 'unfreeze'],
    ['unfreeze', 'close'],
  ],
}

export function drawCardWrites(world: World, principals: readonly Principal[]): Write[] {
  const { chance } = world
  if (!chance.happens(0.4)) return []
  const principal = chance.pick(principals)
  const state = chance.pick(['active', 'frozen'] as const)
  const cardId = layCard(world, principal.owner_id, state)
  const others = principals.filter(({ owner_id }) => owner_id === principal.owner_id)
  const changes = chance.pick(courses[state]).map((change) => changeCard(chance.pick(others), cardId, change))
  return chance.happens(0.3) ? [...changes, createCard(principal)] : changes
}

function changeCard(principal: Principal, cardId: string, change: Change): Write {
  return writeOf(principal, `${change}Card`, { card_id: cardId })
}

function createCard(principal: Principal): Write {
  return writeOf(principal, 'createCard', {}, { label: 'Travel', type: 'virtual', currency: 'EUR' })
}

function writeOf(principal: Principal, route: string, params: Record<string, string>, body?: unknown): Write {
  const key = `key-${draw()}`
  const hash = createHash('sha256')
    .update(JSON.stringify([route, params, body]))
    .digest('base64url')
  const request = requestOf(key, hash, params, body, null)
  return { subject: `rpc.cards.${route}`, principal, key, hash, intent: null, request }
}

function layCard(world: World, owner_id: string, state: Extract<CardState, 'active' | 'frozen'>): string {
  const id = draw()
  const upstream_reference = `up-card-${id}`
  world.provider.cards.lay(upstream_reference, state)
  lay(world, 'cards', 'cards', id, {
    id,
    operation_id: world.settledBefore(),
    owner_id,
    label: null,
    type: 'virtual',
    currency: 'EUR',
    state,
    prior_state: null,
    changes: [],
    upstream_reference,
    brand: 'visa',
    last_four: '4021',
    created_at: world.date(-86_400_000),
    updated_at: world.date(-86_400_000),
  })
  return id
}
