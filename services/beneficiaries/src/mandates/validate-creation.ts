/**
 * Makes every check that refuses the creation of a mandate, its confirmation aside. The checks run before the owner is
 * asked to confirm, and again when the request is sent.
 */

import type { WriteCaller } from '@financial-agents/bus/calls/row'
import { checkCeilings } from '@financial-agents/contract/ceilings'
import { getBindingId } from '@financial-agents/provider-client/reader'
import type { ReadingDependencies } from '../dependencies.ts'
import { findSettledBeneficiary } from '../settled-beneficiaries.ts'
import { checkMandate, type MandateBody } from './check-body.ts'

/** @throws Problem provider_connection_unavailable, validation_failed, grant_ceiling_exceeded */
export async function validateCreation(dependencies: ReadingDependencies, body: MandateBody, caller: WriteCaller) {
  // An operation that is accepted without a binding could never be submitted.
  getBindingId(caller)
  const { owner_id, client_id, grant_id } = caller.principal
  const { beneficiary_id, payment_count, authorized_clients = [client_id], authorized_rules = [] } = body
  const beneficiary = await findSettledBeneficiary(dependencies, owner_id, beneficiary_id)
  const { caps, expires_at, currency, target_reference } = checkMandate(body, {
    beneficiary,
    now: dependencies.clock.now(),
  })
  const { per_payment_max: per_payment, daily_max: per_day } = caps
  checkCeilings(caller.policy.ceilings, { currency, per_payment, per_day })
  const agreed = { beneficiary_id, ...caps, payment_count, expires_at, authorized_clients, authorized_rules }
  return { input: { ...agreed, grant_id, currency }, payload: agreed, target_reference }
}
