/**
 * The pages that suspend every active grant of a client. Each grant is suspended by the one route that suspends, so each has its
 * entries in the audit, its fence and its confirmation. A form suspends 100 grants; it is sent again until none is left.
 *
 * Invariant: where two persons are required, a grant is suspended only if another operator asked for it. The request is a signed
 * link that names the client, the reason, the caller and the time. It holds for an hour.
 */

import { Problem } from '@financial-agents/contract/problem'
import type { OperatorGrant } from '@financial-agents/contract/schemas/operator'
import { ApiRefusal } from '../api/api-client.ts'
import { listScope } from '../handlers/list-scope.ts'
import type { ConsolePage, PageAnswer, PageRequest } from '../http/console-page.ts'
import { refusals } from '../http/refusals.ts'
import { suspendClientPath, withQuery } from './links.ts'
import {
  type AskedSuspension,
  asked,
  type ReasonField,
  type Reasons,
  type RefusedReasons,
  reasonsOf,
} from './suspension-reasons.ts'
import { type ClientSuspension, suspendClientView } from './views/suspend-client.ts'

const path = '/ops/clients/:client_id/suspend'
const batch = 100
const atOnce = 4
/** More grants are not counted. */
const mostCounted = 1_000
const validMs = 3_600_000

export const suspendClientPage: ConsolePage = {
  method: 'GET',
  path,
  scope: 'ops:suspend',
  look: 'viewClientSuspension',
  answer: (request) => confirmation(request),
}

export const suspendClientForm: ConsolePage = {
  method: 'POST',
  path,
  scope: 'ops:suspend',
  look: 'suspendClient',
  answer: async (request) => {
    const { form, suspending, session } = request
    const entered = reasonsOf(request)
    const token = form['request']
    if (token !== undefined) {
      const known = readRequest(request, token)
      if (!known || known.by === session.operator.id) return confirmation(request)
      return suspendSome(request, { ...reasonsIn(known), reason: `${known.reason} (asked for by ${known.by})` })
    }
    const fields = refusedOf(entered)
    if (fields.size > 0) return confirmation(request, { entered, fields })
    if (!suspending.byTwo) return suspendSome(request, entered)
    const at = request.suspending.now().toISOString()
    const sealed = suspending.cursors.write(scopeOf(request), { by: session.operator.id, ...entered, at })
    return { redirectTo: withQuery(suspendClientPath(clientOf(request)), { request: sealed }) }
  },
}

/** The caller's id follows the reason, and both together are at most 500 characters. */
export const maxReason = 300

function reasonsIn({ reason, reason_for_owner }: AskedSuspension): Reasons {
  return { reason, ...(reason_for_owner === undefined ? {} : { reason_for_owner }) }
}

function refusedOf({ reason, reason_for_owner }: Reasons): ReadonlySet<ReasonField> {
  const fits = (text: string, most: number) => text.length >= 3 && text.length <= most
  const fields = new Set<ReasonField>()
  if (!fits(reason, maxReason)) fields.add('reason')
  if (reason_for_owner !== undefined && !fits(reason_for_owner, 500)) fields.add('reason_for_owner')
  return fields
}

const clientOf = ({ params }: PageRequest) => params['client_id'] ?? ''
const scopeOf = (request: PageRequest) => listScope('client suspension', { client_id: clientOf(request) })

/** Returns undefined if the link is not ours, is for another client, or is too old. */
function readRequest(request: PageRequest, token: string | undefined): AskedSuspension | undefined {
  try {
    const known = request.suspending.cursors.read(scopeOf(request), asked, token)
    return known && request.suspending.now().getTime() - Date.parse(known.at) < validMs ? known : undefined
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

async function confirmation(request: PageRequest, refused?: RefusedReasons): Promise<PageAnswer> {
  const token = request.form['request'] ?? request.query['request']
  const known = readRequest(request, token)
  const facts = await suspensionOf(request)
  const view = suspendClientView({
    ...facts,
    byTwo: request.suspending.byTwo,
    hidden: { ...request.session.formToken, ...(known && token !== undefined ? { request: token } : {}) },
    asked: known,
    isStale: token !== undefined && !known,
    isOwn: known?.by === request.session.operator.id,
    refused,
    done: undefined,
  })
  return { view, rights: { forms: true }, status: refused ? 422 : 200 }
}

/** Suspends at most 100 active grants. The next form suspends those that are still active. */
async function suspendSome(request: PageRequest, reasons: Reasons): Promise<PageAnswer> {
  const { items } = await request.api.listGrants({
    client_id: clientOf(request),
    status: 'active',
    limit: String(batch),
  })
  const left = [...items]
  const done = { suspended: 0, unconfirmed: 0 }
  const work = async () => {
    for (let grant = left.shift(); grant; grant = left.shift())
      try {
        await request.api.suspendGrant(grant.id, reasons)
        done.suspended += 1
      } catch (error) {
        if (codeOf(error) === 'grant_not_active') continue
        if (codeOf(error) !== 'acceptance_unknown') throw error
        done.unconfirmed += 1
      }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const facts = await suspensionOf(request)
  const token = request.form['request']
  const hidden = { ...request.session.formToken, ...(token === undefined ? reasons : { request: token }) }
  const view = suspendClientView({
    ...facts,
    byTwo: request.suspending.byTwo,
    hidden,
    asked: undefined,
    isStale: false,
    isOwn: false,
    refused: undefined,
    done,
  })
  return { view, rights: { forms: true }, status: done.unconfirmed > 0 ? 503 : 200 }
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof ApiRefusal) return error.problem.code
  return error instanceof Problem ? error.code : undefined
}

async function suspensionOf(
  request: PageRequest,
): Promise<Pick<ClientSuspension, 'client' | 'active' | 'inFlight' | 'more'>> {
  const client_id = clientOf(request)
  const active: OperatorGrant[] = []
  let place: string | null = null
  do {
    const query = { client_id, status: 'active', limit: '100', ...(place === null ? {} : { cursor: place }) }
    const page = await request.api.listGrants(query)
    active.push(...page.items)
    place = page.next_cursor
  } while (place !== null && active.length < mostCounted)
  const [known] = active.length > 0 ? active : (await request.api.listGrants({ client_id, limit: '1' })).items
  if (!known) throw refusals.notFound()
  const inFlight = active.reduce((sum, grant) => sum + grant.operations_in_flight, 0)
  return { client: known.client, active: active.length, inFlight, more: place !== null }
}
