/**
 * The page of one application of the owner: its access, its limits, what it paid, its repeated payments, its last acts, and the
 * owner's own name for it.
 */

import { applicationView, labelCharacters, labelField } from '@financial-agents/owner-pages/application'
import { underWayOf } from '@financial-agents/owner-pages/payees'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { visible } from '@financial-agents/pages/foreign-name'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance } from 'fastify'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { recordLabel } from '../store/owner-labels.ts'
import { findOwner } from '../store/owners.ts'
import { findConnection } from './account.ts'
import { namesOf } from './activity.ts'
import { setFlash, takeFlash } from './flash.ts'
import { findActivity, findHistory, findPayees, findSpending } from './owner-activity.ts'
import { findMandates } from './owner-mandates.ts'
import { checkForm, getSession, hiddenToken, redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { sendSignedIn } from './signed-in.ts'

const lastShown = 10

export function addApplicationPages(app: FastifyInstance, tools: PageTools): void {
  const { sessions, db, clock } = tools

  app.get<{ Params: { grantId: string } }>(pagePaths.accountApplication, async (request, reply) => {
    const session = await sessions.find(request, 'use')
    if (!session) return redirect(reply, pagePaths.account)
    const { ownerId } = session
    const { grantId } = request.params
    const { grant, grants } = await getGrant(tools, ownerId, grantId)
    const { client_id } = grant
    const all = { owner_id: ownerId, mandate_id: null, payments_only: false, from: null, until: null, after: null }
    const [owner, binding, mandates, spending, history, activity] = await Promise.all([
      findOwner(db, ownerId),
      findConnection(tools, ownerId),
      findMandates(tools, ownerId),
      findSpending(tools, ownerId),
      findHistory(tools, { ...all, client_id, limit: lastShown }),
      findActivity(tools, ownerId),
    ])
    const reader = tools.readers.of(request, owner)
    const message = takeFlash(request, reply, tools, reader)
    const own = mandates?.filter((one) => one.client_id === client_id || one.authorized_clients.includes(client_id))
    const [face, payees, names] = await Promise.all([
      tools.faces.of(grant),
      findPayees(tools, ownerId, [...(history ?? []), ...(activity?.in_flight ?? []), ...(activity?.latest ?? [])]),
      namesOf(
        tools,
        [
          grant,
          ...(own ?? []),
          ...(own ?? []).flatMap(({ authorized_clients }) => authorized_clients.map((id) => ({ client_id: id }))),
        ],
        reader,
      ),
    ])
    const view = applicationView({
      grant,
      face,
      grants,
      binding,
      last: activity?.latest.find((operation) => operation.grant_id === grantId),
      knowsLast: activity !== undefined,
      mandates: own,
      spending: spending?.filter((one) => one.client_id === client_id),
      history,
      payees,
      names,
      underWay: underWayOf(activity),
      now: tools.clock.now(),
      message,
      reader,
      hidden: hiddenToken(tools, 'session', session.uid),
    })
    return sendSignedIn(tools, reply, session, view, { grants, activity, payees })
  })

  app.post<{ Params: { grantId: string } }>(pagePaths.accountName, async (request, reply) => {
    const session = await getSession(tools, request)
    const form = checkForm(request, tools, ['session', session.uid])
    const { grant } = await getGrant(tools, session.ownerId, request.params.grantId)
    const written = (form[labelField] ?? '').trim()
    const label = written === '' ? '' : visible(written)
    if (Array.from(label).length > labelCharacters) throw refusals.badForm()
    await recordLabel(db, { owner_id: session.ownerId, client_id: grant.client_id, label }, clock.now())
    setFlash(reply, tools, label === '' ? 'unnamed' : 'renamed')
    return redirect(reply, pathTo(pagePaths.accountApplication, { grantId: grant.grant_id }))
  })
}

/** @throws PageRefusal if the owner has no such grant */
async function getGrant({ db, clock }: PageTools, ownerId: string, grantId: string) {
  // An id in an address proves nothing, so the grant is looked up among the owner's.
  const grants = isUuid(grantId) ? await listGrantsOfOwner(db, ownerId, clock.now()) : []
  const grant = grants.find((one) => one.grant_id === grantId.toLowerCase())
  if (!grant) throw refusals.notFound()
  return { grant, grants }
}
