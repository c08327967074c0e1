/**
 * The owner's answer to one request of an application. The page shows what the application received, in the owner's
 * language and in the bound English words. To confirm needs a sign-in that is at most five minutes old; to decline, to
 * take a confirmation back and to read what was decided need none of that age.
 */

import { confirmationSignInMs, type OwnerIntent } from '@financial-agents/bus/messages/intents'
import { call } from '@financial-agents/bus/rpc'
import { confirmView, decidedView } from '@financial-agents/owner-pages/confirm'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { ownSignIn } from '@financial-agents/owner-pages/sign-in'
import type { View } from '@financial-agents/owner-pages/view'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import type { Reader } from '@financial-agents/pages/reader'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance } from 'fastify'
import type { BrowserSession } from '../browser/browser-session.ts'
import { auditOwner } from '../browser/owner-audit.ts'
import { findClient } from '../store/clients.ts'
import { findGrant } from '../store/grants.ts'
import { addNextApproval } from './next-approval.ts'
import { checkForm, getSession, hiddenToken, redirect, sendView } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { refuseStart } from './sign-in.ts'
import { sendSignedIn } from './signed-in.ts'

type Params = { intentId: string }

export function addConfirmPages(app: FastifyInstance, tools: PageTools): void {
  const { sessions, signIns, bus, clock } = tools
  addNextApproval(app, tools)

  app.get<{ Params: Params; Querystring: { waited?: unknown } }>(pagePaths.confirm, async (request, reply) => {
    const { intentId } = request.params
    if (!isUuid(intentId)) throw refusals.notFound()
    const session = await sessions.find(request, 'use')
    const reader = await tools.readers.find(request, session?.ownerId)
    const intent = session && (await findIntent(intentId, session.ownerId))
    if (!session || (!isFresh(session) && (!intent || intent.status === 'pending'))) {
      const hidden = hiddenToken(tools, 'browser', signIns.browserOf(request, reply))
      return sendView(reply, signInFirst(tools, intentId, hidden, reader, session !== undefined), tools)
    }
    if (!intent) throw refusals.intentNotFound()
    await checkAccess(tools, intent)
    const view = await viewOf(intent, session, reader, request.query.waited !== undefined)
    return sendSignedIn(tools, reply, session, view, { besides: intent })
  })

  app.post<{ Params: Params }>(pagePaths.confirmSignIn, async (request, reply) => {
    const { intentId } = request.params
    if (!isUuid(intentId)) throw refusals.notFound()
    checkForm(request, tools, ['browser', signIns.browserOf(request, reply)])
    const started = await signIns.start(request, reply, pathTo(pagePaths.confirm, { intentId }))
    if (started.type !== 'started') throw refuseStart(started)
    return redirect(reply, started.url)
  })

  app.post<{ Params: Params }>(pagePaths.confirm, async (request, reply) => {
    const { intentId } = request.params
    const session = await getSession(tools, request)
    const { decision } = checkForm(request, tools, ['session', session.uid])
    if (!isUuid(intentId)) throw refusals.notFound()
    if (decision !== 'confirm' && decision !== 'decline') throw refusals.badForm()
    const authenticated_at = session.authenticatedAt.toISOString()
    const asked = decision === 'confirm' ? await findIntent(intentId, session.ownerId) : null
    if (asked) await checkAccess(tools, asked)
    const decided = { intent_id: intentId, owner_id: session.ownerId, decision, authenticated_at } as const
    const answer = await call(bus, 'int.operations.decide-intent', decided, callContext())
    if (!answer) throw refusals.intentNotFound()
    if (answer.type === 'decided')
      await auditOwner(tools, request, decision === 'confirm' ? 'intent_confirmed' : 'intent_declined', {
        client_id: answer.intent.client_id,
        owner_id: session.ownerId,
        detail: { intent_id: intentId, action: answer.intent.action },
      })
    // The next page says what holds: this decision, an earlier one, or that it was too late or the sign-in too old.
    return redirect(reply, pathTo(pagePaths.confirm, { intentId }))
  })

  function isFresh(session: BrowserSession): boolean {
    return clock.nowMs() - session.authenticatedAt.getTime() < confirmationSignInMs
  }

  function findIntent(intent_id: string, owner_id: string): Promise<OwnerIntent | null> {
    return call(bus, 'int.operations.find-intent', { intent_id, owner_id }, callContext())
  }

  async function viewOf(intent: OwnerIntent, session: BrowserSession, reader: Reader, waited: boolean): Promise<View> {
    const client = await findClient(tools.db, intent.client_id)
    const clientName = client?.registration.name ?? intent.client_id
    const { logo } = await tools.faces.of({ client_id: intent.client_id })
    const next = pathTo(pagePaths.confirmNext, { intentId: intent.intent_id })
    const action = pathTo(pagePaths.confirm, { intentId: intent.intent_id })
    const shown = { clientName, logo, intent, reader, action, hidden: hiddenToken(tools, 'session', session.uid) }
    return intent.status === 'pending' ? confirmView(shown) : decidedView({ ...shown, next, waited })
  }
}

/** @throws PageRefusal if the request is open and the access of the application has ended: a decision would do nothing */
async function checkAccess({ db, clock }: PageTools, { status, grant_id }: OwnerIntent): Promise<void> {
  if (status !== 'pending' && status !== 'confirmed') return
  const grant = await findGrant(db, grant_id, clock.now())
  if (grant?.active !== true) throw refusals.accessEnded()
}

function signInFirst(
  tools: PageTools,
  intentId: string,
  hidden: Readonly<Record<string, string>>,
  reader: Reader,
  again: boolean,
): View {
  const say = reader.say('signIn')
  return ownSignIn({
    reader,
    title: say(again ? 'againToConfirm' : 'toConfirm'),
    lead: say('confirmLead'),
    action: pathTo(pagePaths.confirmSignIn, { intentId }),
    hidden,
    signInOrigin: tools.signInOrigin,
    message: undefined,
  })
}
