/** Cards area: the lifecycle of the owner's cards, and the visit to the provider's page that shows a card number. */

import { z } from 'zod'
import { route } from '../route.ts'
import { cardActivityItem, cardActivityQuery } from '../schemas/activity.ts'
import { card, cardReveal, createCardBody } from '../schemas/card.ts'
import { operation } from '../schemas/operation.ts'
import { cursor, limit, page, pathId } from '../schemas/primitives.ts'

const area = { area: 'cards', service: 'cards', binding: true } as const
const reads = { ...area, method: 'GET', scope: 'cards:read' } as const
const manages = { ...area, method: 'POST', scope: 'cards:manage' } as const
const one = z.strictObject({ card_id: pathId('The card.') })
const changes = { ...manages, keyed: true, params: one, status: 202, response: operation } as const

export const cardsRoutes = {
  createCard: route({
    summary: 'Create a card',
    ...manages,
    keyed: true,
    path: '/v1/cards',
    client: 'cards.create',
    cli: 'cards create --type {type} --currency {currency} --label {label}',
    capability: 'cards.manage',
    opens: 'card_create',
    body: createCardBody,
    status: 202,
    response: operation,
  }),
  listCards: route({
    summary: 'List cards',
    ...reads,
    path: '/v1/cards',
    client: 'cards.list',
    cli: 'cards list',
    capability: 'cards.read',
    query: z.strictObject({ cursor, limit }),
    response: page(card),
  }),
  getCard: route({
    summary: 'Read a card',
    description: 'The response never contains the card number.',
    ...reads,
    path: '/v1/cards/{card_id}',
    client: 'cards.get',
    cli: 'cards show {card_id}',
    capability: 'cards.read',
    params: one,
    response: card,
    problems: ['card_not_found'],
  }),
  listCardActivity: route({
    summary: 'List movements on a card, newest first',
    description: 'Sanitised. `from` is inclusive, `to` is exclusive.',
    ...reads,
    path: '/v1/cards/{card_id}/activity',
    client: 'cards.activity',
    capability: 'cards.read',
    params: one,
    query: cardActivityQuery,
    response: page(cardActivityItem),
    problems: ['card_not_found', 'provider_unavailable'],
  }),
  freezeCard: route({
    summary: 'Freeze a card',
    description:
      'Accepted for an active card, and while an unfreeze is not settled. After both have settled, the card has the state of the last change at the provider.',
    ...changes,
    path: '/v1/cards/{card_id}/freeze',
    client: 'cards.freeze',
    cli: 'cards freeze {card_id}',
    capability: 'cards.manage',
    opens: 'card_freeze',
    problems: ['card_not_found', 'card_not_active', 'resource_busy'],
  }),
  unfreezeCard: route({
    summary: 'Unfreeze a card',
    description: 'Accepted only after every other operation on the card has settled.',
    ...changes,
    path: '/v1/cards/{card_id}/unfreeze',
    client: 'cards.unfreeze',
    cli: 'cards unfreeze {card_id}',
    capability: 'cards.manage',
    opens: 'card_unfreeze',
    problems: ['card_not_found', 'card_not_frozen', 'resource_busy'],
  }),
  closeCard: route({
    summary: 'Close a card',
    description:
      'Accepted after the card has been made, even while a freeze or an unfreeze is not settled. A closed card cannot be opened again.',
    ...changes,
    path: '/v1/cards/{card_id}/close',
    client: 'cards.close',
    cli: 'cards close {card_id}',
    capability: 'cards.manage',
    opens: 'card_close',
    problems: ['card_not_found', 'card_not_active', 'card_already_closed', 'resource_busy'],
  }),
  createCardReveal: route({
    summary: "Open a visit to the provider's page that shows the number",
    description:
      'Only that page shows the number; this API never does. Hand `action_required.url` to the owner. Each request opens a new visit.',
    ...manages,
    path: '/v1/cards/{card_id}/reveals',
    client: 'cards.reveal',
    capability: 'cards.reveal',
    params: one,
    status: 201,
    response: cardReveal,
    problems: ['card_not_found', 'card_not_active', 'card_reveal_refused', 'provider_unavailable'],
  }),
}
