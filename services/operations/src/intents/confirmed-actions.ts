/**
 * The actions that an owner can be asked to confirm: for each the route that carries it out, which says path, scope and
 * body, the area that judges whether it would be refused, and the words in which the owner reads it.
 */

import type { MessageContext } from '@financial-agents/bus/headers'
import type { JudgeRequest } from '@financial-agents/bus/messages/judgements'
import type { Principal } from '@financial-agents/contract/principal'
import type { Route, RouteInput } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { ConfirmedAction as Action, GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { ConfirmationFact } from '@financial-agents/contract/schemas/confirmation-intent'
import type { Asking } from './asking.ts'
import { summariseDisconnect } from './summaries/disconnect.ts'
import { summariseMandate } from './summaries/mandate.ts'
import { summariseRevocation } from './summaries/revocation.ts'
import { summariseTransfer } from './summaries/transfer.ts'

/** The request that is to be confirmed, parsed as its route parses it. */
export type Asked<R extends Route> = Pick<RouteInput<R>, 'params' | 'body'> & {
  principal: Principal
  context: MessageContext
}

export type Summary = {
  /** What is done, in words of ours that name nobody. */
  opening: string
  /** The client's name no other application; the owner's do. */
  facts: { client: ConfirmationFact[]; owner: ConfirmationFact[] }
  /** Repeats what only the provider is told: it is kept sealed, and no longer than the intent is open. */
  quoted?: ConfirmationFact[]
}

/**
 * What the owner reads: everything that it depends on whether to confirm.
 * @throws Problem validation_failed where the request names what its client does not see
 */
export type Summarise<R extends Route> = (asked: Asked<R>, asking: Asking) => Promise<Summary>

/** The area that carries the action out. Its answer throws the problem with which the action would be refused. */
type Judge<R extends Route> = (asking: Asking) => (request: JudgeRequest<R>, context: MessageContext) => Promise<null>

type AskedOfAny = { params: unknown; body: unknown; principal: Principal; context: MessageContext }
type JudgeAny = Omit<AskedOfAny, 'context'> & { policy: GrantPolicy }

export type ConfirmedAction = {
  route: Route
  judge: (request: JudgeAny, context: MessageContext, asking: Asking) => Promise<null>
  summarise: (asked: AskedOfAny, asking: Asking) => Promise<Summary>
}

function confirmed<R extends Route>(route: R, judge: Judge<R>, summarise: Summarise<R>): ConfirmedAction {
  // What is judged and summarised was parsed by this very row.
  return {
    route,
    judge: (request, context, asking) => judge(asking)(request as JudgeRequest<R>, context),
    summarise: (asked, asking) => summarise(asked as Asked<R>, asking),
  }
}

export const confirmedActions: Readonly<Record<Action, ConfirmedAction>> = {
  mandate_create: confirmed(
    mandatesRoutes.createMandate,
    ({ judgeMandateCreate }) => judgeMandateCreate,
    summariseMandate,
  ),
  mandate_revoke: confirmed(
    mandatesRoutes.revokeMandate,
    ({ judgeMandateRevoke }) => judgeMandateRevoke,
    summariseRevocation,
  ),
  service_disconnect: confirmed(
    onboardingRoutes.disconnectService,
    ({ judgeDisconnect }) => judgeDisconnect,
    summariseDisconnect,
  ),
  transfer: confirmed(spendingRoutes.createWithdrawal, ({ judgeWithdrawal }) => judgeWithdrawal, summariseTransfer),
}
