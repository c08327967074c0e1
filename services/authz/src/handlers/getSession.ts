/** GET /v1/session: the owner who is signed in in this browser, and the token for forms of pages on this origin. */

import { identityRoutes } from '@financial-agents/contract/routes/identity'
import type { FastifyInstance } from 'fastify'
import type { PageTools } from '../pages/page-tools.ts'
import { findOwner } from '../store/owners.ts'

const nobody = { authenticated: false, display_name: null, csrf_token: null, expires_at: null }

/** A read here is not a use: it does not keep a session alive. */
export function addGetSession(app: FastifyInstance, { sessions, db, csrf }: PageTools): void {
  app.get(identityRoutes.getSession.path, async (request, reply) => {
    const session = await sessions.find(request)
    const owner = session && (await findOwner(db, session.ownerId))
    const answer = session
      ? {
          authenticated: true,
          display_name: owner?.display_name ?? null,
          csrf_token: csrf.token('session', session.uid),
          expires_at: session.expiresAt.toISOString(),
        }
      : nobody
    return reply
      .header('cache-control', 'no-store')
      .type('application/json')
      .send(Buffer.from(JSON.stringify(identityRoutes.getSession.response.parse(answer))))
  })
}
