/**
 * POST /v1/mandates: caps canonical and in order, within the ceilings of the grant, for an active beneficiary of the owner, with the
 * owner's confirmation.
 */

import type { Handlers } from '@financial-agents/bus/rpc'
import { checkCeilings } from '@financial-agents/contract/ceilings'
import type { mandatesRoutes } from '@financial-agents/contract/routes/mandates'
import { getBindingId } from '@financial-agents/provider/reader'
import { performWrite } from '@financial-agents/writes/perform'
import { findBeneficiary } from '../beneficiary-store.ts'
import { checkMandate } from '../mandates/check-body.ts'
import { confirmationOf } from '../mandates/confirmation.ts'
import { mandateCreate } from '../mandates/create.ts'
import { getOwnerClients } from '../mandates/owner-clients.ts'
import type { Parts } from '../parts.ts'

export function createMandate(parts: Parts): Handlers<typeof mandatesRoutes>['createMandate'] {
  return ({ body }, context) =>
    performWrite(parts, mandateCreate, context, async () => {
      // What is accepted without a binding could never be submitted.
      getBindingId(context)
      const { owner_id, client_id, grant_id } = context.principal
      const { beneficiary_id, payment_count, authorized_clients = [client_id], authorized_rules = [] } = body
      const [beneficiary, clients] = await Promise.all([
        findBeneficiary(parts.db, owner_id, beneficiary_id),
        getOwnerClients(parts.bus, context, authorized_clients),
      ])
      const known = { beneficiary, clients, now: parts.clock.now() }
      const { caps, expires_at, currency, target_reference } = checkMandate(body, known)
      const { per_payment_max: per_payment, daily_max: per_day } = caps
      checkCeilings(context.policy.ceilings, { currency, per_payment, per_day })
      const agreed = { beneficiary_id, ...caps, payment_count, expires_at, authorized_clients, authorized_rules }
      return {
        input: { ...agreed, grant_id, currency },
        payload: agreed,
        target_reference,
        confirmation: confirmationOf('mandate_create', context),
      }
    })
}
