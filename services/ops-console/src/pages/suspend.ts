/** The pages that suspend a grant. The first lists what will stop; its form requires a reason. */

import { isTerminal, operationStates } from '@financial-agents/contract/machine'
import { Problem } from '@financial-agents/contract/problem'
import type { OperatorGrant, OperatorOperation } from '@financial-agents/contract/schemas/operator'
import { ApiRefusal } from '../api/api-client.ts'
import type { ConsolePage, PageAnswer, PageRequest } from '../http/console-page.ts'
import { getGrant } from './grant.ts'
import { grantPath } from './links.ts'
import { type Reasons, type RefusedReasons, reasonsOf } from './suspension-reasons.ts'
import { suspendView, unconfirmedView } from './views/suspend.ts'

const path = '/ops/grants/:grant_id/suspend'

export const suspendPage: ConsolePage = {
  method: 'GET',
  path,
  scope: 'ops:suspend',
  look: 'viewSuspension',
  answer: (request) => confirmation(request),
}

export const suspendForm: ConsolePage = {
  method: 'POST',
  path,
  scope: 'ops:suspend',
  answer: async (request) => {
    const id = request.params['grant_id'] ?? ''
    const entered = reasonsOf(request)
    try {
      const grant = await request.api.suspendGrant(id, entered)
      return { redirectTo: grantPath(grant.id), flash: 'suspended' }
    } catch (error) {
      if (codeOf(error) === 'acceptance_unknown') return unconfirmed(request, entered, error)
      if (!(error instanceof ApiRefusal)) throw error
      if (error.problem.code === 'grant_not_active') return { redirectTo: grantPath(id), flash: 'not_active' }
      const paths = new Set(error.problem.fields?.map(({ path: field }) => field))
      const fields = new Set((['reason', 'reason_for_owner'] as const).filter((field) => paths.has(field)))
      if (fields.size === 0) throw error
      return confirmation(request, { entered, fields })
    }
  },
}

async function confirmation(request: PageRequest, refused?: RefusedReasons): Promise<PageAnswer> {
  const grant = await getGrant(request)
  if (grant.status === 'suspended') return { redirectTo: grantPath(grant.id), flash: 'already_suspended' }
  if (grant.status !== 'active') return { redirectTo: grantPath(grant.id), flash: 'not_active' }
  const inFlight = await findInFlight(request, grant)
  const view = suspendView({ grant, inFlight, hidden: request.session.formToken, refused, now: new Date() })
  return { view, rights: { forms: true }, status: refused ? 422 : 200 }
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof ApiRefusal) return error.problem.code
  return error instanceof Problem ? error.code : undefined
}

/**
 * Shows the known state of the suspension and a form to repeat it. If nothing can be read, the page explains `error`.
 */
async function unconfirmed(request: PageRequest, reasons: Reasons, error: unknown): Promise<PageAnswer> {
  try {
    const grant = await getGrant(request)
    const inFlight = await findInFlight(request, grant)
    const hidden = { ...request.session.formToken, ...reasons }
    return { view: unconfirmedView({ grant, inFlight, hidden, now: new Date() }), rights: { forms: true }, status: 503 }
  } catch {
    throw error
  }
}

/** Finds the operations of this grant without an outcome, by each state. */
async function findInFlight({ api }: PageRequest, { id, operations_in_flight }: OperatorGrant) {
  if (operations_in_flight === 0) return { operations: [], more: false }
  const states = operationStates.filter((state) => !isTerminal(state))
  const lists = await Promise.all(states.map((state) => api.listOperations({ grant_id: id, state, limit: '100' })))
  const operations: OperatorOperation[] = lists.flatMap(({ items }) => items)
  return { operations, more: lists.some(({ next_cursor }) => next_cursor !== null) }
}
