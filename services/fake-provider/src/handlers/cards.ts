/** `POST /provider/v1/cards`, `…/{reference}/freeze`, `…/{reference}/unfreeze` and `…/{reference}/close`, `GET /provider/v1/cards`. */

import { cardTerms } from '@financial-agents/provider-http/api/instructions'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance } from 'fastify'
import { cardMoves, keepCard, validateCard } from '../cards.ts'
import { receiveMutation } from '../mutation.ts'
import { NoTerms, readerOf } from '../read-instruction.ts'
import type { RecordOf } from '../records.ts'
import { type Card, type CardAction, type CardTerms } from '../resources.ts'
import { addSearch, findWithActions } from '../search.ts'
import type { World } from '../world.ts'

export function addCards(app: FastifyInstance, world: World): void {
  app.post(pathPattern('createCard'), (request, reply) =>
    receiveMutation<CardTerms>(
      world,
      {
        kind: 'card_create',
        read: readerOf(cardTerms, ({ label }) => label ?? null),
        validate: ({ connection, content }) => validateCard(world, connection.testUser, content),
        keep: (record, { connection, content }) => keepCard(world, connection.testUser, record, content),
        show: ({ providerRef, testUser }) => {
          const [card] = world.cards.find(testUser, { providerRef })
          return card === undefined ? {} : faceOf(card)
        },
      },
      request,
      reply,
    ),
  )

  for (const action of Object.keys(cardMoves) as CardAction[]) {
    app.post<{ Params: { reference: string } }>(pathPattern(`${action}Card`), (request, reply) => {
      const find = (testUser: string) => world.cards.find(testUser, { providerRef: request.params.reference })[0]
      return receiveMutation<object>(
        world,
        {
          kind: `card_${action}`,
          read: readerOf(NoTerms),
          validate: ({ connection }) => validateAction(find(connection.testUser.id), action),
          keep(record, { connection }) {
            const card = find(connection.testUser.id)
            if (card === undefined) throw new Error('an action was kept unchecked')
            const kept = world.cardActions.add({ ...record, content: { action, on: card } })
            card.content.standing.act(action, kept)
            card.content.taken.push(kept)
            return kept
          },
        },
        request,
        reply,
      )
    })
  }

  addSearch(app, world, pathPattern('findCards'), ({ testUser }, search) =>
    findWithActions(world.cards, world.cardActions, testUser.id, search).map(({ kept, actions }) => ({
      ...kept.show(),
      ...faceOf(kept),
      actions,
    })),
  )
}

function validateAction(card: RecordOf<Card> | undefined, action: CardAction): string | undefined {
  if (card === undefined) return 'unknown_card'
  return card.content.standing.allows(action) ? undefined : `card_${card.content.standing.state()}`
}

function faceOf({ content: { brand, number, standing } }: RecordOf<Card>) {
  return { brand, last_four: number.slice(-4), state: standing.state() }
}
