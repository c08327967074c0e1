/**
 * The limits of an application, changed by its owner. They can be lowered at any time, and raised or added after a
 * sign-in that is at most five minutes old.
 */

import { confirmationSignInMs } from '@financial-agents/bus/messages/intents'
import { type CeilingErrors, currencyOf, readCeilings } from '@financial-agents/owner-pages/ceilings'
import { limitsView } from '@financial-agents/owner-pages/limits'
import { refusals } from '@financial-agents/owner-pages/refusal'
import type { View } from '@financial-agents/owner-pages/view'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import type { Reader } from '@financial-agents/pages/reader'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BrowserSession } from '../browser/browser-session.ts'
import { whoAsks } from '../browser/owner-audit.ts'
import { registeredPolicy } from '../policy/grant-policy.ts'
import { findClient } from '../store/clients.ts'
import { recordCeilings } from '../store/grant-ceilings.ts'
import { FreshSignInNeeded } from '../store/human-grants.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { setFlash } from './flash.ts'
import { checkForm, type Form, getSession, hiddenToken, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { refuseStart } from './sign-in.ts'
import { sendSignedIn } from './signed-in.ts'

type Params = { Params: { grantId: string } }
type Limited = Awaited<ReturnType<typeof getLimited>>

export function addLimitsPages(app: FastifyInstance, tools: PageTools): void {
  const { sessions, signIns, db, clock } = tools

  app.get<Params>(pagePaths.accountLimits, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return redirect(reply, pagePaths.account)
    const limited = await getLimited(tools, session, request.params.grantId)
    const reader = await tools.readers.find(request, session.ownerId)
    const view = await viewOf(tools, { request, reply, session, limited, reader })
    return sendSignedIn(tools, reply, session, view)
  })

  app.post<Params>(pagePaths.accountLimitsSignIn, async (request, reply) => {
    const { grantId } = request.params
    if (!isUuid(grantId)) throw refusals.notFound()
    checkForm(request, tools, ['browser', signIns.browserOf(request, reply)])
    const started = await signIns.start(request, reply, pathTo(pagePaths.accountLimits, { grantId }))
    if (started.type !== 'started') throw refuseStart(started)
    return redirect(reply, started.url)
  })

  app.post<Params>(pagePaths.accountLimits, async (request, reply) => {
    const session = await getSession(tools, request)
    const form = checkForm(request, tools, ['session', session.uid])
    const limited = await getLimited(tools, session, request.params.grantId)
    const reader = await tools.readers.find(request, session.ownerId)
    const { ceilings, errors } = readCeilings(form, limited.registered.ceilings, limited.currency, reader)
    if (Object.keys(errors).length > 0) {
      const view = await viewOf(tools, { request, reply, session, limited, reader, refused: { form, errors } })
      return sendSignedIn(tools, reply, session, view)
    }
    const { grant_id } = limited.grant
    const given = { grant_id, owner_id: session.ownerId, ceilings, authenticated_at: session.authenticatedAt }
    const changed = await recordCeilings(db, { ...given, ...whoAsks(request) }, clock.now()).catch((error: unknown) => {
      throw error instanceof FreshSignInNeeded ? refusals.signInToRaise() : error
    })
    if (!changed) throw refusals.notFound()
    setFlash(reply, tools, 'limits_changed')
    return redirect(reply, pagePaths.account)
  })
}

/** Returns an active grant of the owner that may move money. @throws PageRefusal if there is none with this id */
async function getLimited({ db, clock }: PageTools, { ownerId }: BrowserSession, grantId: string) {
  // An id in an address proves nothing, so the grant is looked up among the owner's.
  const grants = isUuid(grantId) ? await listGrantsOfOwner(db, ownerId, clock.now()) : []
  const grant = grants.find((one) => one.grant_id === grantId.toLowerCase() && one.status === 'active')
  const client = grant?.scopes.includes('spending:withdraw') ? await findClient(db, grant.client_id) : undefined
  if (!grant || !client) throw refusals.notFound()
  const registered = registeredPolicy(client.registration)
  return { grant, registered, currency: currencyOf(registered) ?? currencyOf(grant.policy) }
}

type Shown = {
  request: FastifyRequest
  reply: FastifyReply
  session: BrowserSession
  limited: Limited
  reader: Reader
  refused?: { form: Form; errors: CeilingErrors }
}

async function viewOf(tools: PageTools, { request, reply, session, limited, reader, refused }: Shown): Promise<View> {
  const { grant, registered, currency } = limited
  const grantId = grant.grant_id
  const { logo } = await tools.faces.of({ client_id: grant.client_id })
  return limitsView({
    reader,
    clientName: grant.client_name,
    logo,
    policy: grant.policy,
    registered: registered.ceilings,
    currency,
    written: refused?.form ?? {},
    errors: refused?.errors ?? {},
    mayOnlyLower: tools.clock.nowMs() - session.authenticatedAt.getTime() >= confirmationSignInMs,
    action: pathTo(pagePaths.accountLimits, { grantId }),
    signIn: pathTo(pagePaths.accountLimitsSignIn, { grantId }),
    signInOrigin: tools.signInOrigin,
    hidden: hiddenToken(tools, 'session', session.uid),
    hiddenOfBrowser: hiddenToken(tools, 'browser', tools.signIns.browserOf(request, reply)),
  })
}
