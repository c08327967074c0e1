/** POST /v1/mandates: caps canonical and in order, for an active beneficiary of the owner, with the owner's confirmation. */

import type { Handlers } from '@financial-agents/bus/rpc'
import { Problem } from '@financial-agents/contract/problem'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { getBindingId } from '@financial-agents/provider/reader'
import { performWrite } from '@financial-agents/writes/perform'
import { findBeneficiary } from '../beneficiary-store.ts'
import { getConfirmedAuthorities } from '../mandates/authority.ts'
import { areDrafted } from '../mandates/authority-store.ts'
import { checkMandate } from '../mandates/check-body.ts'
import { confirmationOf } from '../mandates/confirmation.ts'
import { mandateCreate } from '../mandates/create.ts'
import type { Parts } from '../parts.ts'

export function createMandate(parts: Parts): Handlers<typeof mandatesRoutes>['createMandate'] {
  return ({ body }, context) =>
    performWrite(parts, mandateCreate, context, async () => {
      // What is accepted without a binding could never be submitted.
      getBindingId(context)
      const { owner_id, client_id, grant_id } = context.principal
      const { beneficiary_id, payment_count, authorized_clients = [client_id], authorized_rules = [] } = body
      const [beneficiary, authorities] = await Promise.all([
        findBeneficiary(parts.db, owner_id, beneficiary_id),
        getConfirmedAuthorities(parts.bus, context, authorized_clients),
      ])
      const known = { beneficiary, now: parts.clock.now() }
      const { caps, expires_at, currency, target_reference } = checkMandate(body, known)
      const agreed = { beneficiary_id, ...caps, payment_count, expires_at, authorized_clients, authorized_rules }
      return {
        input: { ...agreed, grant_id, currency, authorities },
        payload: agreed,
        target_reference,
        confirmation: confirmationOf('mandate_create', context),
        checkJoined: async ({ resource_id }) => {
          if (!(await areDrafted(parts.db, resource_id, authorities))) throw draftedOtherwise()
        },
      }
    })
}

/** By another grant of the client, or while other clients held other grants: what is drafted is not what this one confirms. */
function draftedOtherwise(): Problem {
  return new Problem('service_unavailable', {
    detail: 'An equal request with this key is still being decided. Repeat it, with the same key, after a moment.',
  })
}
