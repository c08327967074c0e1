/** Asks the area that stores beneficiaries for the provider's reference of one. */

import { ask } from '@financial-agents/bus/ask'
import type { Bus } from '@financial-agents/bus/connect'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { fieldsProblem } from '@financial-agents/contract/problem'

const findTimeoutMs = 2_000

/** @throws Problem validation_failed; Unavailable */
export async function getBeneficiaryReference(
  bus: Bus,
  context: HandlerContext,
  beneficiaryId: string,
): Promise<string> {
  const asked = { owner_id: context.principal.owner_id, beneficiary_id: beneficiaryId }
  const found = await ask(bus, 'int.beneficiaries.find-beneficiary', asked, context, findTimeoutMs)
  if (found === null) throw refusal('Send the id of one of GET /v1/beneficiaries.')
  if (found.state === 'failed') throw refusal('Name another: the provider does not have this beneficiary.')
  if (found.state !== 'active' || found.upstream_reference === null)
    throw refusal('Wait until GET /v1/beneficiaries/{beneficiary_id} shows it active.')
  return found.upstream_reference
}

function refusal(message: string) {
  return fieldsProblem([{ path: 'beneficiary_id', message }])
}
