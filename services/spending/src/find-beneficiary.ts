/** Whom a withdrawal pays, asked of the area that keeps beneficiaries; only one that is active can be paid. */

import type { Bus } from '@financial-agents/bus/connect'
import { isUnanswered } from '@financial-agents/bus/errors'
import type { KnownBeneficiary } from '@financial-agents/bus/messages/resources'
import { call, type HandlerContext } from '@financial-agents/bus/rpc'
import { fieldsProblem, Problem } from '@financial-agents/contract/problem'
import type { WithdrawalBody } from './check-limits.ts'

export type PayableBeneficiary = KnownBeneficiary & { upstream_reference: string }

const path = 'beneficiary_id'
const findTimeoutMs = 2_000

/** @throws Problem validation_failed, service_unavailable */
export async function getPayableBeneficiary(
  bus: Bus,
  context: HandlerContext,
  body: WithdrawalBody,
): Promise<PayableBeneficiary> {
  const beneficiary = await ask(bus, context, body.beneficiary_id)
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

async function ask(bus: Bus, context: HandlerContext, beneficiary_id: string): Promise<KnownBeneficiary | null> {
  const { principal, requestId, traceparent, timeoutMs } = context
  const asking = { requestId, traceparent, timeoutMs: Math.min(timeoutMs, findTimeoutMs) }
  try {
    return await call(
      bus,
      'int.beneficiaries.find-beneficiary',
      { owner_id: principal.owner_id, beneficiary_id },
      asking,
    )
  } catch (error) {
    if (isUnanswered(error)) throw new Problem('service_unavailable', { cause: error })
    throw error
  }
}
