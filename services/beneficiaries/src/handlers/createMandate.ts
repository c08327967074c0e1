/** POST /v1/mandates: caps canonical and in order, for an active beneficiary of the owner, with the owner's confirmation. */

import type { Handlers } from '@financial-agents/bus/rpc'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { performWrite } from '@financial-agents/writes/perform'
import { confirmationOf } from '../mandates/confirmation.ts'
import { mandateCreate } from '../mandates/create.ts'
import { judgeCreation } from '../mandates/judge-creation.ts'
import type { Parts } from '../parts.ts'

export function createMandate(parts: Parts): Handlers<typeof mandatesRoutes>['createMandate'] {
  return ({ body }, context) =>
    performWrite(parts, mandateCreate, context, async () => ({
      ...(await judgeCreation(parts, body, context)),
      confirmation: confirmationOf('mandate_create', context),
    }))
}
