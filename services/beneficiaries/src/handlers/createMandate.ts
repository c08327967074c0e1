/**
 * POST /v1/mandates: creates a mandate for an active beneficiary of the owner, with the owner's confirmation. The limits
 * are canonical, in order, and within the limits of the grant.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { performWrite } from '@financial-agents/writes/perform'
import type { Dependencies } from '../dependencies.ts'
import { getConfirmedAuthorities } from '../mandates/authority.ts'
import { areDrafted } from '../mandates/authority-store.ts'
import { confirmationOf } from '../mandates/confirmation.ts'
import { mandateCreate } from '../mandates/create.ts'
import { validateCreation } from '../mandates/validate-creation.ts'

export function createMandate(dependencies: Dependencies): Handlers<typeof mandatesRoutes>['createMandate'] {
  return ({ body }, context) =>
    performWrite(dependencies, mandateCreate, context, async () => {
      const validated = await validateCreation(dependencies, body, context)
      const authorities = await getConfirmedAuthorities(dependencies.bus, context, validated.input.authorized_clients)
      return {
        ...validated,
        input: { ...validated.input, authorities },
        mandate_ends_at: validated.input.expires_at,
        confirmation: confirmationOf('mandate_create', context),
        checkJoined: async ({ resource_id }) => {
          if (!(await areDrafted(dependencies.db, resource_id, authorities))) throw equalRequestUndecided()
        },
      }
    })
}

/**
 * The problem for a request that joined a draft with other authorities: another grant of the client drafted it, or
 * other clients held other grants then. This request's confirmation does not cover that draft.
 */
function equalRequestUndecided(): Problem {
  return new Problem('service_unavailable', {
    detail: 'An equal request with this key is still being decided. Repeat it, with the same key, after a moment.',
  })
}
