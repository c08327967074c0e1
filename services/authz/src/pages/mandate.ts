/**
 * The page of one mandate of the owner, on which the owner pauses or ends it. Both only take authority away, so they
 * need no recent sign-in. A form that is sent twice acts once.
 */

import { randomUUID } from 'node:crypto'
import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { call } from '@financial-agents/bus/rpc'
import { accountPageClient } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import { keyField, mandateView } from '@financial-agents/owner-pages/mandate'
import { underWayOf } from '@financial-agents/owner-pages/payees'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { auditOwner } from '../browser/owner-audit.ts'
import { pairwiseSubject } from '../registration/pairwise-subject.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { findConnection } from './account.ts'
import { namesOf } from './activity.ts'
import { type Flash, setFlash, takeFlash } from './flash.ts'
import { findActivity } from './owner-activity.ts'
import { findMandates } from './owner-mandates.ts'
import { checkForm, getSession, hiddenToken, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { sendSignedIn } from './signed-in.ts'

type Params = { Params: { mandateId: string } }

const acts = {
  suspend: { path: pagePaths.accountMandatePause, flash: 'mandate_pausing', event: 'mandate_paused' },
  revoke: { path: pagePaths.accountMandateEnd, flash: 'mandate_ending', event: 'mandate_ended' },
} as const
type Action = keyof typeof acts

export function addMandatePages(app: FastifyInstance, tools: PageTools): void {
  const { sessions, db, clock } = tools

  app.get<Params>(pagePaths.accountMandate, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return redirect(reply, pagePaths.account)
    const { ownerId } = session
    const reader = await tools.readers.find(request, ownerId)
    const message = takeFlash(request, reply, tools, reader)
    const mandate = await getMandate(tools, ownerId, request.params.mandateId)
    const [binding, activity, grants, names] = await Promise.all([
      findConnection(tools, ownerId),
      findActivity(tools, ownerId),
      listGrantsOfOwner(db, ownerId, clock.now()),
      namesOf(
        tools,
        [mandate.client_id, ...mandate.authorized_clients].map((client_id) => ({ client_id })),
        reader,
      ),
    ])
    const view = mandateView({
      mandate,
      binding,
      grants,
      names,
      underWay: underWayOf(activity),
      now: clock.now(),
      key: randomUUID(),
      message,
      reader,
      hidden: hiddenToken(tools, 'session', session.uid),
    })
    return sendSignedIn(tools, reply, session, view, { grants, activity })
  })

  for (const action of Object.keys(acts) as Action[])
    app.post<Params>(acts[action].path, (request, reply) => act(tools, action, request, reply))
}

async function act(
  tools: PageTools,
  action: Action,
  request: FastifyRequest<Params>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await getSession(tools, request)
  const form = checkForm(request, tools, ['session', session.uid])
  const key = form[keyField] ?? ''
  const { mandateId: mandate_id } = request.params
  if (!isUuid(key)) throw refusals.badForm()
  if (!isUuid(mandate_id)) throw refusals.notFound()
  const { ownerId: owner_id } = session
  const binding = await findConnection(tools, owner_id)
  if (binding === undefined) throw refusals.unavailable()
  const flash = binding?.status === 'connected' ? await send() : 'not_connected_to_act'
  const { event, flash: done } = acts[action]
  if (flash === done) await auditOwner(tools, request, event, { owner_id, detail: { mandate_id } })
  setFlash(reply, tools, flash)
  return redirect(reply, pagePaths.account)

  async function send(): Promise<Flash> {
    // The owner's own acts have a sector of their own: no client knows the owner by this subject.
    const subject = pairwiseSubject(tools.pairwiseKey, accountPageClient, owner_id)
    const asked = { owner_id, subject, binding_id: binding?.binding_id ?? '', mandate_id, action, key }
    try {
      await call(tools.bus, 'int.beneficiaries.owner-action', asked, callContext())
      return acts[action].flash
    } catch (error) {
      const flash = error instanceof Problem ? refused.get(error.code) : undefined
      if (flash === undefined) throw error
      tools.log.warn({ err: error, mandate_id }, 'an owner could not act on a mandate')
      return flash
    }
  }
}

const refused: ReadonlyMap<string, Flash> = new Map([
  ['mandate_not_active', 'mandate_unchanged'],
  ['mandate_already_revoked', 'mandate_unchanged'],
  ['mandate_revocation_in_progress', 'mandate_unchanged'],
  ['resource_busy', 'mandate_unchanged'],
  ['acceptance_unknown', 'mandate_unknown'],
])

/** @throws PageRefusal if the owner has no such mandate, or it cannot be read now */
export async function getMandate(tools: PageTools, ownerId: string, id: string): Promise<OwnerMandate> {
  const mandates = await findMandates(tools, ownerId)
  if (!mandates) throw refusals.unavailable()
  const mandate = mandates.find((one) => one.id === id)
  if (!mandate) throw refusals.notFound()
  return mandate
}
