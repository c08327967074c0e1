/**
 * The owner's account page: all grants, the operations under way, the connection to the provider, and the ways to end
 * each. If another service does not answer, the page says which part is missing. Grants can always be revoked.
 */

import type { Binding } from '@financial-agents/bus/messages/authority'
import { call } from '@financial-agents/bus/rpc'
import { accountView } from '@financial-agents/owner-pages/account'
import { ownSignIn } from '@financial-agents/owner-pages/sign-in'
import type { View } from '@financial-agents/owner-pages/view'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOutOfReach } from '../browser/out-of-reach.ts'
import { listClientNames } from '../store/operator-grants.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { findOwner } from '../store/owners.ts'
import { takeFlash } from './flash.ts'
import { findActivity, findPayees, findSpending } from './owner-activity.ts'
import { findMandates } from './owner-mandates.ts'
import { checkForm, hiddenToken, redirect, sendView } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { refuseStart } from './sign-in.ts'
import { sendSignedIn } from './signed-in.ts'

export function addAccountPages(app: FastifyInstance, tools: PageTools): void {
  const { sessions, signIns, db, clock } = tools

  app.get(pagePaths.account, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return sendView(reply, signedOutView(tools, request, reply), tools)
    const { ownerId } = session
    const [owner, grants, activity, binding, mandates, spending] = await Promise.all([
      findOwner(db, ownerId),
      listGrantsOfOwner(db, ownerId, clock.now()),
      findActivity(tools, ownerId),
      findConnection(tools, ownerId),
      findMandates(tools, ownerId),
      findSpending(tools, ownerId),
    ])
    const hidden = hiddenToken(tools, 'session', session.uid)
    const named = mandates?.flatMap(({ client_id, authorized_clients }) => [client_id, ...authorized_clients]) ?? []
    const payees = await findPayees(tools, ownerId, activity ? [...activity.in_flight, ...activity.latest] : [])
    const reader = tools.readers.of(request, owner)
    const view = accountView({
      ownerName: owner?.display_name ?? null,
      reader,
      grants,
      faces: await tools.faces.ofAll(grants),
      activity,
      payees,
      spending,
      binding,
      mandates,
      clientNames: await listClientNames(db, named),
      now: clock.now(),
      hidden,
      message: takeFlash(request, reply, tools, reader),
    })
    return sendSignedIn(tools, reply, session, view, { grants, activity, payees })
  })

  app.post(pagePaths.accountSignIn, async (request, reply) => {
    checkForm(request, tools, ['browser', signIns.browserOf(request, reply)])
    const started = await signIns.start(request, reply, pagePaths.account)
    if (started.type !== 'started') throw refuseStart(started)
    return redirect(reply, started.url)
  })
}

function signedOutView(tools: PageTools, request: FastifyRequest, reply: FastifyReply): View {
  const reader = tools.readers.of(request)
  const say = reader.say('signIn')
  return ownSignIn({
    title: say('accountTitle'),
    lead: say('accountLead'),
    action: pagePaths.accountSignIn,
    hidden: hiddenToken(tools, 'browser', tools.signIns.browserOf(request, reply)),
    signInOrigin: tools.signInOrigin,
    message: takeFlash(request, reply, tools, reader),
    reader,
  })
}

/** Returns the connection that is not over, null if there is none, and undefined if onboarding does not answer. */
export async function findConnection({ bus, log }: PageTools, ownerId: string): Promise<Binding | null | undefined> {
  try {
    const bindings = await call(bus, 'int.onboarding.bindings', { owner_ids: [ownerId] }, callContext())
    return bindings.find((one) => one.owner_id === ownerId && one.status !== 'disconnected') ?? null
  } catch (error) {
    if (!isOutOfReach(error)) throw error
    log.warn({ err: error }, 'an account page was shown without the connection')
    return undefined
  }
}
