/** Transfers: a client's payments, by withdrawal or under a mandate. Only their operations create and change them. */

import { z } from 'zod'
import { paymentKinds } from '../machine/kinds.ts'
import { documented } from './documented.ts'
import { operationState } from './operation.ts'
import { dateTime, extensible, id, money } from './primitives.ts'
import { eur, ids, written } from './story.ts'

const transferKind = extensible(z.enum(paymentKinds)).register(documented, { id: 'TransferKind' })

/** A transfer as its client sees it. */
export const transfer = z
  .strictObject({
    id: id.describe('The transfer: `resource_id` of its operation.'),
    operation_id: id.describe('The operation that carries it out.'),
    kind: transferKind.describe('`transfer` is a withdrawal; `mandate_transfer` was made under a mandate.'),
    state: operationState.describe('The state of the operation. `succeeded`, `failed` and `cancelled` are final.'),
    mandate_id: id.nullable().describe('The mandate of the transfer; null for a withdrawal.'),
    beneficiary_id: id.describe('The beneficiary of the payment.'),
    amount: money.describe('The amount.'),
    reference: z
      .string()
      .nullable()
      .describe('The reference that the beneficiary sees: `reference`, or `memo` of a withdrawal.'),
    rule: z.string().nullable().describe('The rule of the mandate that the transfer names; null if it names none.'),
    upstream_reference: z.string().nullable().describe("The provider's reference for the transfer."),
    created_at: dateTime.describe('The time of acceptance.'),
    updated_at: dateTime.describe('The time of the last change of the state.'),
  })
  .register(documented, {
    id: 'Transfer',
    examples: [
      {
        id: ids.transfer,
        operation_id: ids.operation,
        kind: 'mandate_transfer',
        state: 'succeeded',
        mandate_id: ids.mandate,
        beneficiary_id: ids.beneficiary,
        amount: eur('850.00'),
        reference: 'Rent November',
        rule: 'monthly-rent',
        upstream_reference: 'up_7b10c0',
        ...written,
      },
    ],
  })

export type Transfer = z.output<typeof transfer>
