/**
 * Pages that replace the real ones: they sign an owner in, consent or decline at once, as the test asks. The forms, the
 * forgery checks and the provider belong to the tests of the real pages.
 */

import type { FastifyInstance } from 'fastify'
import type { ServerDependencies } from './authorization-server.ts'
import { registeredPolicy } from './policy/grant-policy.ts'
import { getSector } from './provider/client-members.ts'
import { pairwiseSubject } from './registration/pairwise-subject.ts'
import { findClient } from './store/clients.ts'
import { grantLifetimeMs, recordConsent } from './store/human-grants.ts'

type Query = { act: 'sign-in' | 'consent' | 'deny'; owner: string }

/** GET returns the interaction, with the step that it waits for. POST with `?act=` continues it. */
export function addTestPages(
  app: FastifyInstance,
  { interactions, provider }: Parameters<NonNullable<ServerDependencies['addPages']>>[1],
  { db, clock, pairwiseKey }: Pick<ServerDependencies, 'db' | 'clock' | 'pairwiseKey'>,
): void {
  app.get('/interaction/:uid', async (request, reply) => {
    const interaction = await interactions.findInteraction(request, reply)
    return interaction ?? reply.code(404).send({})
  })
  app.post<{ Querystring: Query }>('/interaction/:uid', async (request, reply) => {
    const { act, owner } = request.query
    const interaction = await interactions.findInteraction(request, reply)
    if (!interaction) return reply.code(404).send({})
    if (act === 'deny') return interactions.denyInteraction(request, reply)
    if (act === 'sign-in')
      return interactions.finishSignIn(request, reply, { ownerId: owner, authenticatedAt: clock.now() })
    const { clientId, scopes, openid } = interaction
    const known = await findClient(db, clientId)
    const client = await provider().Client.find(clientId)
    if (!known || !client || !interaction.owner) throw new Error('nobody consents')
    const { ownerId, authenticatedAt } = interaction.owner
    const { grant_id } = await recordConsent(
      db,
      {
        owner_id: ownerId,
        client_id: clientId,
        subject: pairwiseSubject(pairwiseKey, getSector(client), ownerId),
        scopes,
        openid,
        policy: registeredPolicy(known.registration),
        mandate_ids: [],
        authenticated_at: authenticatedAt,
        expires_at: new Date(clock.nowMs() + grantLifetimeMs),
        request_id: null,
      },
      clock.now(),
    )
    return interactions.finishConsent(request, reply, grant_id)
  })
}
