/** Transfers: a client's payments, by withdrawal or under a mandate. Only their operations create and change them. */

import { paymentKinds } from '@financial-agents/operation-machine/kinds'
import { z } from 'zod'
import { operationState } from './operation.ts'
import { dateTime, id, money } from './primitives.ts'

/** A transfer as its client sees it. */
export const transfer = z.strictObject({
  id: id.describe('The transfer: `resource_id` of its operation.'),
  operation_id: id.describe('The operation that carries it out.'),
  kind: z.enum(paymentKinds).describe('`transfer` is a withdrawal; `mandate_transfer` was made under a mandate.'),
  state: operationState.describe('Where its operation stands. `succeeded`, `failed` and `cancelled` are final.'),
  mandate_id: id.nullable().describe('The mandate under which it was made; null for a withdrawal.'),
  beneficiary_id: id.describe('Whom it pays.'),
  amount: money.describe('How much.'),
  reference: z.string().nullable().describe('What the beneficiary reads: `reference`, or `memo` of a withdrawal.'),
  rule: z.string().nullable().describe('The rule of the mandate by which it was made; null where it named none.'),
  upstream_reference: z.string().nullable().describe("The provider's reference of it."),
  created_at: dateTime.describe('When it was accepted.'),
  updated_at: dateTime.describe('When the state changed last.'),
})

/** A transfer as its client sees it. */
export type Transfer = z.output<typeof transfer>
