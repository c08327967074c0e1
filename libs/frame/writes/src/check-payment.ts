/**
 * Answers the check of a payment. `validate` makes the checks of the area's own write, and throws the problem that refuses it. What only
 * acceptance checks is asked of operations, which neither locks nor reserves anything for it.
 */

import { ask } from '@financial-agents/bus/ask'
import type { HandlerContext } from '@financial-agents/bus/rpc'
import { limitsOfGrant } from '@financial-agents/contract/payment-limits'
import { Problem } from '@financial-agents/contract/problem'
import { problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import type { PaymentCheck, PaymentLimit } from '@financial-agents/contract/schemas/payment-check'
import type { PerformDependencies } from './perform.ts'
import type { WriteKind } from './write.ts'

export type CheckedPayment = {
  kind: Pick<WriteKind<never>, 'kind'>
  money: { amount: string; currency: string }
  confirmationRequired: boolean
  /** The limits beside those of the grant. */
  limits: readonly PaymentLimit[]
  validate: () => Promise<unknown>
}

/** @throws Problem, or Unavailable, if it cannot be told at present */
export async function checkPayment(
  { bus, writes }: Pick<PerformDependencies, 'bus' | 'writes'>,
  context: HandlerContext,
  { kind, money, confirmationRequired, limits, validate }: CheckedPayment,
): Promise<PaymentCheck> {
  const refused = await Promise.resolve()
    .then(() => writes.checkOffered(kind.kind, context))
    .then(validate)
    .then(() => undefined, keepRefusal)
  const { owner_id, client_id } = context.principal
  const { amount, currency } = money
  const { ceilings } = context.policy
  const { detail, reserved } = await ask(
    bus,
    'int.operations.check-payment',
    { owner_id, client_id, amount, currency, ceilings },
    context,
  )
  const refusal = refused ?? (detail === null ? undefined : new Problem('grant_ceiling_exceeded', { detail }))
  return {
    refusal: refusal ? viewOf(refusal) : null,
    confirmation_required: confirmationRequired,
    limits: [...limitsOfGrant(ceilings, money, reserved), ...limits],
  }
}

/** A service that is out of reach refuses no payment. */
function keepRefusal(error: unknown): Problem {
  if (error instanceof Problem && problemCatalogue[error.code].status < 500) return error
  throw error
}

function viewOf({ data: { code, detail, fields } }: Problem): NonNullable<PaymentCheck['refusal']> {
  const { title, retryable } = problemCatalogue[code]
  return { code, title, detail, fields, retryable }
}
