/** Finds the payee of a withdrawal in the area that stores beneficiaries. Only an active beneficiary can be paid. */

import { ask } from '@financial-agents/bus/ask'
import type { WriteCaller } from '@financial-agents/bus/calls/row'
import type { Bus } from '@financial-agents/bus/connect'
import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import { fieldsProblem } from '@financial-agents/contract/problem'
import type { WithdrawalBody } from './check-limits.ts'

export type PayableBeneficiary = KnownBeneficiary & { upstream_reference: string }

const path = 'beneficiary_id'
const findTimeoutMs = 2_000

/** @throws Problem validation_failed; Unavailable */
export async function getPayableBeneficiary(
  bus: Bus,
  context: WriteCaller,
  body: WithdrawalBody,
): Promise<PayableBeneficiary> {
  const asked = { owner_id: context.principal.owner_id, beneficiary_id: body.beneficiary_id }
  const beneficiary = await ask(bus, 'int.beneficiaries.find-beneficiary', asked, context, findTimeoutMs)
  if (beneficiary === null) throw fieldsProblem([{ path, message: 'Send the id of one of GET /v1/beneficiaries.' }])
  const { state, upstream_reference, currency } = beneficiary
  if (state === 'failed')
    throw fieldsProblem([{ path, message: 'Name another: the provider does not have this beneficiary.' }])
  if (state !== 'active' || upstream_reference === null)
    throw fieldsProblem([{ path, message: 'Wait until GET /v1/beneficiaries/{beneficiary_id} shows it active.' }])
  if (currency !== body.currency)
    throw fieldsProblem([{ path: 'currency', message: `Send ${currency}, the currency of the beneficiary.` }])
  return { ...beneficiary, upstream_reference }
}
