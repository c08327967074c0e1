/** What operators see: operations with their history and evidence, and grants. Never a payload, and of a customer the pairwise subject alone. */

import { movers } from '@financial-agents/operation-machine/machine'
import { z } from 'zod'
import { scopeNames } from '../scopes.ts'
import { clientProfile, grantStatus } from './authorization.ts'
import { operation, operationKind, operationState } from './operation.ts'
import { cursor, dateTime, limit, text } from './primitives.ts'
import { webhookDelivery } from './webhook.ts'

const flag = z
  .enum(['true', 'false'], { error: 'Send true or false.' })
  .transform((value) => value === 'true')
  .optional()

/** The query of `GET /v1/ops/operations`. */
export const operatorOperationsQuery = z.strictObject({
  state: operationState.optional(),
  kind: operationKind.optional(),
  client_id: text(1, 200).optional(),
  /** Under operator review: reads alone do not prove what became of it. */
  review: flag,
  /** Created at least so many seconds ago. */
  min_age_seconds: z.coerce
    .number({ error: 'Send whole seconds.' })
    .int({ error: 'Send whole seconds.' })
    .min(0, { error: 'Send whole seconds.' })
    .max(315_360_000, { error: 'Send at most ten years in seconds.' })
    .optional(),
  cursor,
  limit,
})

/** An operation as operators see it. */
export const operatorOperation = operation.omit({ action_required: true }).extend({
  /** Pairwise. */
  subject: z.string(),
  client: z.strictObject({ id: z.string(), name: z.string() }),
  review: z.boolean(),
  review_reason: z.string().nullable(),
  age_seconds: z.int().min(0),
})

/** An operation as operators see it. */
export type OperatorOperation = z.output<typeof operatorOperation>

/** What a transition was judged by. */
export const operatorEvidence = z.strictObject({
  read: z.string(),
  result: z.string(),
  observed_at: dateTime,
  digest: z.string(),
})

/** One move of an operation. */
export const operatorHistoryEntry = z.strictObject({
  sequence: z.int().min(1),
  from: operationState.nullable(),
  to: operationState,
  by: z.enum(movers),
  at: dateTime,
  reason: z.string().nullable(),
  evidence: operatorEvidence.nullable(),
})

/** `GET /v1/ops/operations/{operation_id}`. */
export const operatorOperationDetail = operatorOperation.extend({
  history: z.array(operatorHistoryEntry),
  webhook_deliveries: z.array(webhookDelivery),
})

/** `GET /v1/ops/operations/{operation_id}`. */
export type OperatorOperationDetail = z.output<typeof operatorOperationDetail>

/** How many operations are in each state: of those in flight all, of those that ended those of the last 24 hours. */
export const operatorCounts = z.record(operationState, z.int().min(0))

/** `GET /v1/ops/operations`. */
export const operatorOperations = z.strictObject({
  items: z.array(operatorOperation).max(100),
  next_cursor: z.string().nullable(),
  counts: operatorCounts,
})

/** The query of `GET /v1/ops/grants`. */
export const operatorGrantsQuery = z.strictObject({
  client_id: text(1, 200).optional(),
  status: grantStatus.optional(),
  subject: text(1, 200).optional(),
  cursor,
  limit,
})

/** A grant as operators see it. */
export const operatorGrant = z.strictObject({
  id: z.uuid(),
  /** Pairwise. */
  subject: z.string(),
  client: z.strictObject({ id: z.string(), name: z.string(), profile: clientProfile }),
  status: grantStatus,
  scopes: z.array(z.enum(scopeNames)),
  created_at: dateTime,
  last_used_at: dateTime.nullable(),
  suspended: z.strictObject({ at: dateTime, by: z.string(), reason: z.string() }).nullable(),
  operations_in_flight: z.int().min(0),
})

/** A grant as operators see it. */
export type OperatorGrant = z.output<typeof operatorGrant>

/** The body of `POST /v1/ops/grants/{grant_id}/suspend`. */
export const suspendGrantBody = z.strictObject({ reason: text(3, 500) })
