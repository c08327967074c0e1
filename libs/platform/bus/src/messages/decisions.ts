/** The messages with which operations asks an area if a write would be refused now, before its owner is asked to confirm it. */

import type { Principal } from '@financial-agents/contract/principal'
import type { Route, RouteInput } from '@financial-agents/contract/route'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'

/** The request that is to be confirmed, as its route parses it, and the authority under which the client will send it. */
export type ValidateRequest<R extends Route> = Pick<RouteInput<R>, 'params' | 'body'> & {
  principal: Principal
  policy: GrantPolicy
}

/** The connection that the disconnect would end. */
export type ValidatedDisconnect = { binding_id: string }
