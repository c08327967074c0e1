/**
 * The actions that an owner can be asked to confirm. Each row names the route (path, scope and body), the area that
 * validates whether the request would be refused, and the words that the owner reads.
 */

import type { MessageContext } from '@financial-agents/bus/headers'
import type { ValidateRequest } from '@financial-agents/bus/messages/decisions'
import type { Principal } from '@financial-agents/contract/principal'
import type { Route } from '@financial-agents/contract/route'
import { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { onboardingRoutes } from '@financial-agents/contract/routes/onboarding'
import { spendingRoutes } from '@financial-agents/contract/routes/spending'
import type { ConfirmedAction as Action, GrantPolicy } from '@financial-agents/contract/schemas/authorization'
import type { Asking } from './asking.ts'
import { forClient } from './facts.ts'
import { summariseDisconnect } from './summaries/disconnect.ts'
import { summariseMandate } from './summaries/mandate.ts'
import { summariseRevocation } from './summaries/revocation.ts'
import { type ConfirmableRequest, type Summarise, type Summary } from './summaries/summarise.ts'
import { summariseTransfer } from './summaries/transfer.ts'

/** The connection that the action is about, if it may be another one than that of the client. */
type About = { binding_id: string } | null

/** Asks the area that carries out the action. Throws the problem with which the area would refuse it. */
type Validate<R extends Route> = (
  asking: Asking,
) => (request: ValidateRequest<R>, context: MessageContext) => Promise<About>

type AskedOfAny = { params: unknown; body: unknown; principal: Principal; context: MessageContext }
type ValidateAny = Omit<AskedOfAny, 'context'> & { policy: GrantPolicy }

export type ConfirmedAction = {
  route: Route
  validate: (request: ValidateAny, context: MessageContext, asking: Asking) => Promise<About>
  summarise: (asked: AskedOfAny, asking: Asking) => Promise<Summary>
}

function confirmed<R extends Route>(route: R, validate: Validate<R>, summarise: Summarise<R>): ConfirmedAction {
  // The casts are safe: the route of this action has parsed the request.
  return {
    route,
    validate: (request, context, asking) => validate(asking)(request as ValidateRequest<R>, context),
    summarise: async (asked, asking) => {
      const { facts, ...summary } = await summarise(asked as ConfirmableRequest<R>, asking)
      return { ...summary, facts: { client: facts.client.map(forClient), owner: facts.owner } }
    },
  }
}

export const confirmedActions: Readonly<Record<Action, ConfirmedAction>> = {
  mandate_create: confirmed(
    mandatesRoutes.createMandate,
    ({ validateMandateCreate }) => validateMandateCreate,
    summariseMandate,
  ),
  mandate_revoke: confirmed(
    mandatesRoutes.revokeMandate,
    ({ validateMandateRevoke }) => validateMandateRevoke,
    summariseRevocation,
  ),
  service_disconnect: confirmed(
    onboardingRoutes.disconnectService,
    ({ validateDisconnect }) => validateDisconnect,
    summariseDisconnect,
  ),
  transfer: confirmed(
    spendingRoutes.createWithdrawal,
    ({ validateWithdrawal }) => validateWithdrawal,
    summariseTransfer,
  ),
}
