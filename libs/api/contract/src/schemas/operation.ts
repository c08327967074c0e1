/**
 * The customer's view of an operation (contract, "Operation"): every member is present, and null if it has no value.
 */

import { z } from 'zod'
import { failureCodeNames } from '../failure-codes.ts'
import { operationKinds, resourceTypes } from '../machine/kinds.ts'
import { operationStates } from '../machine/machine.ts'
import { documented } from './documented.ts'
import { dateTime, extensible, id } from './primitives.ts'
import { ids, written } from './story.ts'

/** The contract closes this list, and that of the states. */
export const operationKind = z.enum(operationKinds).register(documented, { id: 'OperationKind' })

export const operationState = z.enum(operationStates).register(documented, { id: 'OperationState' })

/** The reason why an operation failed, or why its outcome is unknown. */
export const failureCode = extensible(z.enum(failureCodeNames)).register(documented, { id: 'FailureCode' })

const resourceType = extensible(z.enum(resourceTypes)).register(documented, { id: 'ResourceType' })

const pollAfterMs = z.int32().min(1)
const purpose = 'The purpose of the visit.'

/** A page that the owner must open, for any purpose. */
export const handOff = z.strictObject({
  url: z.url().describe('The page that the owner must open.'),
  expires_at: dateTime.describe('The time until which the owner can open the page.'),
  poll_after_ms: pollAfterMs
    .nullable()
    .describe('The number of milliseconds to wait before polling; null if nothing is polled.'),
})

/** The approval of an operation at the provider. It always has its end and a polling interval. */
const grantApprovalAction = handOff
  .extend({
    kind: z.literal('grant_approval').describe(purpose),
    poll_after_ms: pollAfterMs.describe('The number of milliseconds to wait before polling.'),
  })
  .register(documented, { id: 'GrantApprovalAction' })

/** A visit to the page that shows a card number. */
export const cardRevealAction = handOff
  .extend({ kind: z.literal('card_reveal').describe(purpose) })
  .register(documented, { id: 'CardRevealAction' })

/** A visit to the page on which the owner connects a provider. */
const connectAction = handOff
  .extend({ kind: z.literal('connect').describe(purpose) })
  .register(documented, { id: 'ConnectAction' })

/** A visit for verification. The provider need not state its end. */
export const kycSessionAction = handOff
  .extend({
    kind: z.literal('kyc_session').describe(purpose),
    expires_at: dateTime
      .nullable()
      .describe('The time until which the owner can open the page; null if it is not known.'),
  })
  .register(documented, { id: 'KycSessionAction' })

/** The owner's task before the operation continues. */
export const actionRequired = z
  .discriminatedUnion('kind', [grantApprovalAction, cardRevealAction, connectAction, kycSessionAction])
  .register(documented, { id: 'ActionRequired' })

/** An operation as its client follows it. */
export const operation = z
  .strictObject({
    id: id.describe('The operation.'),
    kind: operationKind.describe('The kind of write.'),
    state: operationState.describe('The state of the operation. `succeeded`, `failed` and `cancelled` are final.'),
    submission_uncertain: z
      .boolean()
      .describe(
        'True only if the state is `indeterminate`: the provider may have accepted the write. Do not send it again.',
      ),
    failure_code: failureCode
      .nullable()
      .describe(
        'The reason why the operation failed, or why its outcome is unknown. Each code has a page at /failure-codes/{code}.',
      ),
    failure_detail: z.string().nullable().describe('The reason in words for people.'),
    created_at: dateTime.describe('The time of acceptance.'),
    updated_at: dateTime.describe('The time of the last change of the state.'),
    resource_id: id.describe('The resource that the operation concerns.'),
    resource_type: resourceType.describe('The type of the resource.'),
    next_reconcile_at: dateTime
      .nullable()
      .describe(
        'The time at which the provider is asked for the outcome again. An indeterminate operation is asked about without end, until an answer proves what became of it.',
      ),
    upstream_reference: z.string().nullable().describe("The provider's reference for the operation."),
    action_required: actionRequired.optional().describe('Present only while the owner has to act.'),
  })
  .register(documented, {
    id: 'Operation',
    examples: [
      {
        id: ids.operation,
        kind: 'beneficiary_create',
        state: 'succeeded',
        submission_uncertain: false,
        failure_code: null,
        failure_detail: null,
        ...written,
        resource_id: ids.beneficiary,
        resource_type: 'beneficiary',
        next_reconcile_at: null,
        upstream_reference: 'up_8c13f2',
      },
    ],
  })

export type Operation = z.output<typeof operation>
