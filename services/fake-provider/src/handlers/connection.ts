/** `POST /provider/v1/connection/revoke` and `GET /provider/v1/connection`: the connection by which an application acts. */

import { pathPattern } from '@financial-agents/provider-http/api/paths'
import type { FastifyInstance } from 'fastify'
import { receiveMutation } from '../mutation.ts'
import { NoTerms, readerOf } from '../read-instruction.ts'
import { addSearch, findActions, shownAction } from '../search.ts'
import type { World } from '../world.ts'

export function addConnection(app: FastifyInstance, world: World): void {
  app.post(pathPattern('revokeConnection'), (request, reply) =>
    receiveMutation<object>(
      world,
      {
        kind: 'transfer_grant_revoke',
        read: readerOf(NoTerms),
        keep(record, { connection: { ref, standing } }) {
          const kept = world.connectionActions.add({ ...record, content: { action: 'revoke', on: ref } })
          standing.act('revoke', kept)
          return kept
        },
        afterRevocation: true,
      },
      request,
      reply,
    ),
  )

  // The connection of the caller's credentials, and every connection that was changed by an action with this reference.
  addSearch(app, world, pathPattern('findConnections'), ({ testUser, ref, standing }, search) => {
    const done = findActions(world.connectionActions, testUser.id, search)
    const refs = new Set([ref, ...done.map(({ content }) => content.on)])
    return [...refs].map((connection) => ({
      reference: connection,
      state: connection === ref ? standing.state() : 'revoked',
      actions: done.filter(({ content }) => content.on === connection).map((action) => shownAction(action)),
    }))
  })
}
