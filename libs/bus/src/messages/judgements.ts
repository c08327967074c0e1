/** What operations asks an area before an owner is asked to confirm a write: whether the write would be refused now. */

import type { Principal } from '@financial-agents/contract/principal'
import type { Route, RouteInput } from '@financial-agents/contract/route'
import type { GrantPolicy } from '@financial-agents/contract/schemas/authorization'

/** The request that is to be confirmed, parsed as its route parses it, and on whose authority it will be sent. */
export type JudgeRequest<R extends Route> = Pick<RouteInput<R>, 'params' | 'body'> & {
  principal: Principal
  policy: GrantPolicy
}
