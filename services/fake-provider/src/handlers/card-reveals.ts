/**
 * `POST /provider/v1/card-reveals`: a short visit to the hosted page with a card's number. Idempotent by client reference.
 */

import { newCardReveal } from '@financial-agents/provider-http/api/hosted'
import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance } from 'fastify'
import type { ReceivedBody } from '../mutation.ts'
import { answerQuietly, Refused } from '../quiet-call.ts'
import type { World } from '../world.ts'

export function addCardReveals(app: FastifyInstance, world: World, publicUrl: string | undefined): void {
  app.post(pathPattern('startCardReveal'), (request, reply) => {
    const parsed = newCardReveal.safeParse((request.body as ReceivedBody | undefined)?.value)
    const clientReference = parsed.data?.client_reference ?? null
    return answerQuietly(world, { kind: 'card_reveal', clientReference, request, reply }, ({ testUser }, fault) => {
      if (!parsed.success) throw new Refused(400, 'invalid_request')
      if (fault?.script === 'fail') throw new Refused(422, fault.options.reason)
      const { client_reference, card_reference } = parsed.data
      const [card] = world.cards.find(testUser.id, { providerRef: card_reference })
      if (card === undefined) throw new Refused(404, 'unknown_card')
      const state = card.content.standing.state()
      if (state !== 'active' && state !== 'frozen') throw new Refused(409, `card_${state}`)
      const started = world.cardReveals.start(testUser.id, client_reference, card, fault?.script === 'expire')
      if (started.content !== card) throw new Refused(409, 'reference_reused')
      return {
        data: {
          reference: started.ref,
          client_reference,
          card_reference,
          hosted_url: new URL(`/hosted/card-reveals/${started.token}`, publicUrl ?? `http://${request.host}`).href,
          expires_at: new Date(started.expiresAtMs).toISOString(),
        },
      }
    })
  })
}
