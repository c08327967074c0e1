/**
 * The frame of every page of a signed-in owner: first what waits for the owner, then the ways to the other pages.
 *
 * Invariant: the list of what waits is read for each request, from the services that own the data. If operations does
 * not answer, the rest of the page is shown.
 */

import type { OwnerIntent } from '@financial-agents/bus/messages/intents'
import type { OwnerActivity, OwnerOperation, WaitingIntent } from '@financial-agents/bus/messages/owner-activity'
import type { GrantOfOwner } from '@financial-agents/owner-pages/grant-of-owner'
import { ownerWays } from '@financial-agents/owner-pages/header'
import { type Payees, payeeOf } from '@financial-agents/owner-pages/payees'
import type { View } from '@financial-agents/owner-pages/view'
import { type Waiting, type WaitingGroup, waitingLine, waitingList } from '@financial-agents/owner-pages/waiting'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import type { FastifyReply } from 'fastify'
import { listClientNames } from '../store/operator-grants.ts'
import { listGrantsOfOwner } from '../store/owner-grants.ts'
import { findActivity, findPayees } from './owner-activity.ts'
import { sendView } from './page-request.ts'
import type { PageTools } from './page-tools.ts'

/** An access that ends within this time is announced. */
const endsSoonMs = 7 * 86_400_000

/** The data that the page has read already. */
export type SignedInContext = {
  grants?: readonly GrantOfOwner[]
  activity?: OwnerActivity | undefined
  payees?: Payees
  /** The confirmation that the page itself shows. One line then counts everything else that waits. */
  besides?: Pick<OwnerIntent, 'intent_id' | 'status'>
}

export async function sendSignedIn(
  tools: PageTools,
  reply: FastifyReply,
  { ownerId }: { ownerId: string },
  view: View,
  known: SignedInContext = {},
): Promise<FastifyReply> {
  const { reader } = view.page
  const waiting = await findWaiting(tools, ownerId, known)
  const first = known.besides === undefined ? waitingList(waiting, reader) : waitingLine(waiting, reader)
  const page = { ...view.page, first, navigation: ownerWays(reader) }
  return sendView(reply, { ...view, page }, tools)
}

async function findWaiting(tools: PageTools, ownerId: string, known: SignedInContext): Promise<WaitingGroup[]> {
  const now = tools.clock.now()
  const [grants, activity] = await Promise.all([
    known.grants ?? listGrantsOfOwner(tools.db, ownerId, now),
    'activity' in known ? known.activity : findActivity(tools, ownerId),
  ])
  const inFlight = activity?.in_flight ?? []
  const approvals = inFlight.filter(({ approval }) => approval)
  const uncertain = inFlight.filter((one) => !one.approval && one.payment && one.submission_uncertain)
  const intents = (activity?.intents ?? []).filter(({ intent_id }) => intent_id !== known.besides?.intent_id)
  const open = [...approvals, ...uncertain]
  const [payees, clients] = await Promise.all([
    known.payees ?? findPayees(tools, ownerId, open),
    listClientNames(
      tools.db,
      [...open, ...intents].map(({ client_id }) => client_id),
    ),
  ])
  const names = new Map(clients.map(({ client_id, name }) => [client_id, name]))
  const counts = activity?.counts
  const isOneOfThem = known.besides?.status === 'pending' ? 1 : 0
  return [
    groupOf(
      'confirmation',
      intents.map((intent) => waitingIntent(intent, names)),
      counts && counts.confirmation - isOneOfThem,
    ),
    groupOf(
      'approval',
      approvals.map((operation) => waitingOperation(operation, names, payees)),
      counts?.approval,
    ),
    groupOf(
      'uncertain',
      uncertain.map((operation) => waitingOperation(operation, names, payees)),
      counts?.uncertain,
    ),
    groupOf('ending', grants.filter((grant) => endsSoon(grant, now)).map(waitingEnd)),
  ]
}

/** The lists and the numbers are read beside each other, so a number may be older than its list. */
function groupOf(type: Waiting['type'], items: readonly Waiting[], count = 0): WaitingGroup {
  return { type, items, count: Math.max(count, items.length) }
}

function waitingIntent(intent: WaitingIntent, names: ReadonlyMap<string, string>): Waiting {
  const { intent_id, client_id, action, expires_at } = intent
  return {
    type: 'confirmation',
    action,
    clientName: names.get(client_id),
    before: new Date(expires_at),
    href: pathTo(pagePaths.confirm, { intentId: intent_id }),
  }
}

function waitingEnd({ grant_id, client_name, expires_at }: GrantOfOwner): Waiting {
  return {
    type: 'ending',
    clientName: client_name,
    before: expires_at,
    href: pathTo(pagePaths.accountApplication, { grantId: grant_id }),
  }
}

function waitingOperation(operation: OwnerOperation, names: ReadonlyMap<string, string>, payees: Payees): Waiting {
  const { approval, operation_id, client_id, kind, payment } = operation
  return {
    type: approval ? 'approval' : 'uncertain',
    kind,
    clientName: names.get(client_id),
    payment,
    payee: payeeOf(operation, payees),
    before: approval?.expires_at ? new Date(approval.expires_at) : null,
    href:
      approval && isWebAddress(approval.url)
        ? approval.url
        : pathTo(pagePaths.accountOperation, { operationId: operation_id }),
  }
}

const isWebAddress = (address: string) => /^https?:/.test(address)

function endsSoon({ status, client_status, expires_at }: GrantOfOwner, now: Date): boolean {
  if (status !== 'active' || client_status !== 'active' || expires_at === null) return false
  return expires_at.getTime() - now.getTime() < endsSoonMs
}
