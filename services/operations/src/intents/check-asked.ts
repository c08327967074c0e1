/**
 * Asks the area of a write to validate the request before the owner is asked to confirm it, so that nobody confirms a
 * request that would be refused. The area validates the write again when it arrives. Only the passing of time may change
 * the decision.
 */

import type { MessageContext } from '@financial-agents/bus/headers'
import type { Principal } from '@financial-agents/contract/principal'
import { fieldsProblem, Problem } from '@financial-agents/contract/problem'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Asking } from './asking.ts'
import type { ConfirmedAction } from './confirmed-actions.ts'

type ActionRequest = {
  params: unknown
  body: unknown
  principal: Principal
  policy: GrantPolicy
  context: MessageContext
}

/**
 * Returns the connection over which the write would go. The owner confirms the write over this connection alone.
 * @throws Unavailable, or the Problem with which the write would be refused. The problem names members from the
 * intent's `request`.
 */
export async function checkAsked({ validate }: ConfirmedAction, asked: ActionRequest, asking: Asking): Promise<string> {
  const { context, ...request } = asked
  const about = await validate(request, context, asking).catch((error: unknown): never => {
    throw namedFromRequest(error)
  })
  const binding_id = about?.binding_id ?? request.principal.binding_id
  // An intent without a connection would confirm a write over any connection that the owner makes later.
  if (binding_id === null) throw new Problem('provider_connection_unavailable', { refreshOnboarding: true })
  return binding_id
}

/** Reports a missing resource in the path as an invalid member of the intent's body: 422, as for every body. */
function namedFromRequest(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  const { code, detail, fields } = error.data
  if (problemCatalogue[code].status === 404) return fieldsProblem([{ path: 'request.path', message: detail }])
  if (fields === null) return error
  return fieldsProblem(fields.map(({ path, message }) => ({ path: `request.body.${path}`, message })))
}
