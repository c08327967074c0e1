/** The customer's view of an operation (contract, "Operation"): every member present, null where it has no value. */

import { operationKinds, resourceTypes } from '@financial-agents/operation-machine/kinds'
import { operationStates } from '@financial-agents/operation-machine/machine'
import { z } from 'zod'
import { failureCodeNames } from '../failure-codes.ts'
import { dateTime, id } from './primitives.ts'

/** The kind of an operation. */
export const operationKind = z.enum(operationKinds)

/** The state of an operation. */
export const operationState = z.enum(operationStates)

/** Why an operation failed, or why its outcome is not known. */
export const failureCode = z.enum(failureCodeNames)

/** What the owner has to do before the operation goes on. */
export const actionRequired = z.strictObject({
  kind: z.enum(['kyc_session', 'card_reveal', 'grant_approval', 'connect']),
  url: z.url(),
  expires_at: dateTime.nullable(),
  poll_after_ms: z.int().min(1).nullable(),
})

/** An operation as its client follows it. */
export const operation = z.strictObject({
  id,
  kind: operationKind,
  state: operationState,
  submission_uncertain: z.boolean(),
  failure_code: failureCode.nullable(),
  failure_detail: z.string().nullable(),
  created_at: dateTime,
  updated_at: dateTime,
  resource_id: id,
  resource_type: z.enum(resourceTypes),
  next_reconcile_at: dateTime.nullable(),
  upstream_reference: z.string().nullable(),
  action_required: actionRequired.optional(),
})

/** An operation as its client follows it. */
export type Operation = z.output<typeof operation>
