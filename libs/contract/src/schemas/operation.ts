/**
 * The customer's view of an operation (contract, "Operation"): every member is present, and null if it has no value.
 */

import { operationKinds, resourceTypes } from '@financial-agents/operation-machine/kinds'
import { operationStates } from '@financial-agents/operation-machine/machine'
import { z } from 'zod'
import { failureCodeNames } from '../failure-codes.ts'
import { dateTime, id } from './primitives.ts'

/** The kind of an operation. */
export const operationKind = z.enum(operationKinds)

/** The state of an operation. */
export const operationState = z.enum(operationStates)

/** The reason why an operation failed, or why its outcome is unknown. */
export const failureCode = z.enum(failureCodeNames)

const pollAfterMs = z.int().min(1)
const whatFor = 'What the visit is for.'

/** A page that the owner must open, for any purpose. */
export const handOff = z.strictObject({
  url: z.url().describe('The page that the owner opens.'),
  expires_at: dateTime.describe('Until when it is to be opened.'),
  poll_after_ms: pollAfterMs.nullable().describe('Milliseconds to wait before polling; null where nothing is polled.'),
})

/** The end of a visit for verification. The provider need not state it. */
export const visitEnd = dateTime.nullable().describe('Until when it is to be opened; null where that is not known.')

/** The owner's task before the operation continues. An approval always has its end and a polling interval. */
export const actionRequired = z.discriminatedUnion('kind', [
  handOff.extend({
    kind: z.literal('grant_approval').describe(whatFor),
    poll_after_ms: pollAfterMs.describe('Milliseconds to wait before polling.'),
  }),
  handOff.extend({ kind: z.enum(['card_reveal', 'connect']).describe(whatFor) }),
  handOff.extend({ kind: z.literal('kyc_session').describe(whatFor), expires_at: visitEnd }),
])

/** An operation as its client follows it. */
export const operation = z.strictObject({
  id: id.describe('The operation.'),
  kind: operationKind.describe('What it does.'),
  state: operationState.describe('Where it stands. `succeeded`, `failed` and `cancelled` are final.'),
  submission_uncertain: z
    .boolean()
    .describe('True exactly while it is `indeterminate`: the provider may have accepted it. Do not send it again.'),
  failure_code: failureCode
    .nullable()
    .describe('Why it failed, or why its outcome is not known. Each has a page at /failure-codes/{code}.'),
  failure_detail: z.string().nullable().describe('The same for people.'),
  created_at: dateTime.describe('When it was accepted.'),
  updated_at: dateTime.describe('When its state changed last.'),
  resource_id: id.describe('What it concerns.'),
  resource_type: z.enum(resourceTypes).describe('What kind of thing that is.'),
  next_reconcile_at: dateTime.nullable().describe('When the provider is asked next what became of it.'),
  upstream_reference: z.string().nullable().describe("The provider's reference of it."),
  action_required: actionRequired.optional().describe('Present only while the owner has to act.'),
})

/** An operation as its client follows it. */
export type Operation = z.output<typeof operation>
