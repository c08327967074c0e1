/** The end of the connection to the provider: a page that lists what stops, and the act itself. */

import type { Calls } from '@financial-agents/bus/calls'
import { call } from '@financial-agents/bus/rpc'
import { accountPageClient } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import { disconnectView } from '@financial-agents/owner-pages/disconnect'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import type { FastifyInstance } from 'fastify'
import { auditOwner } from '../browser/owner-audit.ts'
import { pairwiseSubject } from '../registration/pairwise-subject.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { findConnection } from './account.ts'
import { type Flash, setFlash } from './flash.ts'
import { checkForm, getSession, hiddenToken, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { sendSignedIn } from './signed-in.ts'

export function addDisconnectPages(app: FastifyInstance, tools: PageTools): void {
  const { sessions, db, clock } = tools

  app.get(pagePaths.accountDisconnect, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return redirect(reply, pagePaths.account)
    const [reader, binding, grants] = await Promise.all([
      tools.readers.find(request, session.ownerId),
      findConnection(tools, session.ownerId),
      listGrantsOfOwner(db, session.ownerId, clock.now()),
    ])
    if (binding === undefined) throw refusals.unavailable()
    if (binding?.status !== 'connected') {
      setFlash(reply, tools, binding ? 'still_ending' : 'not_connected')
      return redirect(reply, pagePaths.account)
    }
    const view = disconnectView({
      reader,
      providerName: binding.provider_name,
      clientNames: grants.filter((grant) => grant.status === 'active').map((grant) => grant.client_name),
      hidden: hiddenToken(tools, 'session', session.uid),
    })
    return sendSignedIn(tools, reply, session, view)
  })

  app.post(pagePaths.accountDisconnect, async (request, reply) => {
    const session = await getSession(tools, request)
    checkForm(request, tools, ['session', session.uid])
    const owner_id = session.ownerId
    const answer = await askToDisconnect(tools, owner_id)
    if (answer?.disconnected) await auditOwner(tools, request, 'disconnected', { owner_id })
    setFlash(reply, tools, wordFor(answer))
    return redirect(reply, pagePaths.account)
  })
}

type Answer = Calls['int.onboarding.disconnect']['answer']

/**
 * Chooses the message about the disconnect. `disconnected` tells that nothing goes over the connection any more, so it
 * requires the confirmed fence (write protocol, rule 8).
 */
function wordFor(answer: Answer | undefined): Flash {
  if (answer === undefined) return 'disconnect_unknown'
  if (!answer.disconnected) return 'not_connected'
  return answer.fenced ? 'disconnected' : 'disconnecting'
}

const underWay: ReadonlySet<string> = new Set(['acceptance_unknown', 'resource_busy'])

/** Returns undefined if a disconnect is under way and its acceptance is unknown. */
async function askToDisconnect({ bus, log, pairwiseKey }: PageTools, owner_id: string): Promise<Answer | undefined> {
  try {
    // The account page has a sector of its own. No client knows the owner by this subject, and operators can tell
    // owners apart.
    const subject = pairwiseSubject(pairwiseKey, accountPageClient, owner_id)
    return await call(bus, 'int.onboarding.disconnect', { owner_id, subject }, callContext())
  } catch (error) {
    if (!(error instanceof Problem) || !underWay.has(error.code)) throw error
    log.warn({ err: error }, 'it is not known whether a disconnect was accepted')
    return undefined
  }
}
