/**
 * Everything that refuses the creation of a mandate, but for its confirmation: judged when the owner is to be asked to
 * confirm it, and again when it is sent.
 */

import type { WriteAsker } from '@financial-agents/bus/serve-judgement'
import { getBindingId } from '@financial-agents/provider/reader'
import type { Judged } from '@financial-agents/writes/perform'
import { findBeneficiary } from '../beneficiary-store.ts'
import type { Parts } from '../parts.ts'
import { checkMandate, type MandateBody } from './check-body.ts'
import type { MandateInput } from './create.ts'
import { getOwnerClients } from './owner-clients.ts'

/** @throws Problem provider_connection_unavailable, validation_failed; Unavailable */
export async function judgeCreation(
  { bus, db, clock }: Pick<Parts, 'bus' | 'db' | 'clock'>,
  body: MandateBody,
  asker: WriteAsker,
): Promise<Judged<MandateInput>> {
  // What is accepted without a binding could never be submitted.
  getBindingId(asker)
  const { owner_id, client_id, grant_id } = asker.principal
  const { beneficiary_id, payment_count, authorized_clients = [client_id], authorized_rules = [] } = body
  const [beneficiary, clients] = await Promise.all([
    findBeneficiary(db, owner_id, beneficiary_id),
    getOwnerClients(bus, asker, authorized_clients),
  ])
  const { caps, expires_at, currency, target_reference } = checkMandate(body, {
    beneficiary,
    clients,
    now: clock.now(),
  })
  const agreed = { beneficiary_id, ...caps, payment_count, expires_at, authorized_clients, authorized_rules }
  return { input: { ...agreed, grant_id, currency }, payload: agreed, target_reference }
}
