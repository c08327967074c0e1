/**
 * The ends of an application's access: the owner pauses it, or ends it. Both are reported only after nothing that the
 * application started can be sent any more (write protocol, rule 8). An end that nobody can take back is asked about once.
 */

import { endForGoodView, sureField } from '@financial-agents/owner-pages/end'
import { type GrantOfOwner, pausedByOwner } from '@financial-agents/owner-pages/grant-of-owner'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { grantEndIsKnown } from '../background/known-ends.ts'
import { whoAsks } from '../browser/owner-audit.ts'
import { revokeGrant, suspendGrant } from '../store/grant-status.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { type Flash, setFlash } from './flash.ts'
import { checkForm, getSession, hiddenToken, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { sendSignedIn } from './signed-in.ts'

export function addEndPages(app: FastifyInstance, tools: PageTools): void {
  const { db, clock } = tools

  app.post<{ Params: { grantId: string } }>(pagePaths.accountRevoke, async (request, reply) => {
    const { session, form, grant } = await getOwnGrant(tools, request)
    if (grant.kind === 'service' && isLive(grant) && form[sureField] !== 'yes') {
      const reader = await tools.readers.find(request, session.ownerId)
      const face = await tools.faces.of(grant)
      const view = endForGoodView({ grant, face, hidden: hiddenToken(tools, 'session', session.uid), reader })
      return sendSignedIn(tools, reply, session, view)
    }
    const why = { reason: 'revoked_by_owner', by: 'owner', request_id: whoAsks(request).request_id } as const
    const ended = await revokeGrant(db, grant.grant_id, why, clock.now())
    return tell(reply, grant, ended ? 'revoked' : 'already_ended', 'ending')
  })

  app.post<{ Params: { grantId: string } }>(pagePaths.accountPause, async (request, reply) => {
    const { grant } = await getOwnGrant(tools, request)
    // A service account's access could not be allowed again by a sign-in.
    if (grant.kind === 'service') throw refusals.badForm()
    const why = { reason: pausedByOwner, by: 'owner', request_id: whoAsks(request).request_id } as const
    await suspendGrant(db, grant.grant_id, why, clock.now())
    if (isLive(grant)) return tell(reply, grant, 'paused', 'pausing')
    setFlash(reply, tools, 'already_ended')
    return redirect(reply, pagePaths.account)
  })

  /** Reports the end only after nothing that the application started can be sent any more (write protocol, rule 8). */
  async function tell(
    reply: FastifyReply,
    grant: GrantOfOwner,
    done: Flash,
    unconfirmed: Flash,
  ): Promise<FastifyReply> {
    const isKnown = await grantEndIsKnown(tools, grant.grant_id, callContext().timeoutMs)
    setFlash(reply, tools, isKnown ? done : unconfirmed)
    return redirect(reply, pagePaths.account)
  }
}

/** The session, the form and the grant that the address names. @throws PageRefusal if the owner has no such grant */
async function getOwnGrant(tools: PageTools, request: FastifyRequest<{ Params: { grantId: string } }>) {
  const session = await getSession(tools, request)
  const form = checkForm(request, tools, ['session', session.uid])
  const { grantId } = request.params
  // An id in an address proves nothing, so the grant is looked up among the owner's.
  const grants = isUuid(grantId) ? await listGrantsOfOwner(tools.db, session.ownerId, tools.clock.now()) : []
  const grant = grants.find(({ grant_id }) => grant_id === grantId.toLowerCase())
  if (!grant) throw refusals.notFound()
  return { session, form, grant }
}

const isLive = ({ status }: GrantOfOwner) => status === 'active' || status === 'suspended'
