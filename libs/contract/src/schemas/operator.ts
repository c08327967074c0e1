/**
 * The operators' view: operations with their history and evidence, and grants. It never contains a payload, and
 * identifies a customer only by the pairwise subject.
 */

import { movers, type OperationState, operationStates } from '@financial-agents/operation-machine/machine'
import { z } from 'zod'
import { scopeNames } from '../scopes.ts'
import { clientProfile, grantStatus } from './authorization.ts'
import { operation, operationKind, operationState } from './operation.ts'
import { cursor, dateTime, limit, rfcUuid, text, words } from './primitives.ts'
import { webhookDelivery } from './webhook.ts'

const flag = z
  .enum(['true', 'false'], { error: 'Send true or false.' })
  .transform((value) => value === 'true')
  .optional()

/** The query of `GET /v1/ops/operations`. */
export const operatorOperationsQuery = z.strictObject({
  state: operationState.optional().describe('Only in this state.'),
  kind: operationKind.optional().describe('Only of this kind.'),
  client_id: text(1, 200).optional().describe('Only of this client.'),
  grant_id: rfcUuid.optional().describe('Only by this grant.'),
  review: flag.describe(
    'Only what is under review (`true`) or is not (`false`): reads alone do not prove what became of it.',
  ),
  min_age_seconds: z.coerce
    .number({ error: 'Send whole seconds.' })
    .int({ error: 'Send whole seconds.' })
    .min(0, { error: 'Send whole seconds.' })
    .max(315_360_000, { error: 'Send at most ten years in seconds.' })
    .optional()
    .describe('Created at least so many seconds ago.'),
  cursor,
  limit,
})

const clientNames = {
  id: z.string().describe('As it is registered.'),
  name: z.string().describe('As owners know it.'),
}

/** An operation as operators see it. */
export const operatorOperation = operation.omit({ action_required: true }).extend({
  subject: z.string().describe('The owner, as the client knows them: pairwise.'),
  client: z.strictObject(clientNames).describe('Who asked for it.'),
  review: z.boolean().describe('Whether it is under review: reads alone do not prove what became of it.'),
  review_reason: z.string().nullable().describe('Why it is.'),
  age_seconds: z.int().min(0).describe('How long ago it was accepted.'),
})

/** An operation as operators see it. */
export type OperatorOperation = z.output<typeof operatorOperation>

/** The evidence on which a transition is based. */
export const operatorEvidence = z.strictObject({
  read: z.string().describe('What was read at the provider.'),
  result: z.string().describe('What it said.'),
  observed_at: dateTime.describe('When.'),
  digest: z.string().describe('Of the whole answer, which is not kept.'),
})

/** One move of an operation. */
export const operatorHistoryEntry = z.strictObject({
  sequence: z.int().min(1).describe('Counts the moves of the operation.'),
  from: operationState.nullable().describe('Where it stood; null for its beginning.'),
  to: operationState.describe('Where it went.'),
  by: z.enum(movers).describe('Which service moved it.'),
  at: dateTime.describe('When.'),
  reason: z.string().nullable().describe('Why, where more is known than the states say.'),
  evidence: operatorEvidence.nullable().describe('What it was judged by; null where no read was needed.'),
})

/** `GET /v1/ops/operations/{operation_id}`. */
export const operatorOperationDetail = operatorOperation.extend({
  history: z.array(operatorHistoryEntry).describe('Every move, oldest first.'),
  webhook_deliveries: z.array(webhookDelivery).describe('What its client was notified of.'),
})

/** `GET /v1/ops/operations/{operation_id}`. */
export type OperatorOperationDetail = z.output<typeof operatorOperationDetail>

/** The number of operations in each state: all in flight, and those that ended in the last 24 hours. */
export const operatorCounts = z.strictObject(
  Object.fromEntries(
    operationStates.map((state) => [state, z.int().min(0).describe(`How many are \`${state}\`.`)]),
  ) as Record<OperationState, z.ZodInt>,
)

/** `GET /v1/ops/operations`. */
export const operatorOperations = z.strictObject({
  items: z.array(operatorOperation).max(100).describe('This page of the list.'),
  next_cursor: z.string().nullable().describe('Pass it as cursor to go on; null at the end of the list.'),
  counts: operatorCounts.describe(
    'Of all operations, whatever the query: in flight all, ended those of the last 24 hours.',
  ),
})

/** The query of `GET /v1/ops/grants`. */
export const operatorGrantsQuery = z.strictObject({
  grant_id: rfcUuid.optional().describe('This one alone.'),
  client_id: text(1, 200).optional().describe('Only of this client.'),
  status: grantStatus.optional().describe('Only with this status.'),
  subject: text(1, 200).optional().describe('Only of this owner, as the client knows them.'),
  cursor,
  limit,
})

/** A grant as operators see it. */
export const operatorGrant = z.strictObject({
  id: z.uuid().describe('The grant.'),
  subject: z.string().describe('The owner, as the client knows them: pairwise.'),
  client: z
    .strictObject({ ...clientNames, profile: clientProfile.describe('What kind of application it is.') })
    .describe('Who acts by it.'),
  status: grantStatus.describe('Whether it is good.'),
  scopes: z.array(z.enum(scopeNames)).describe('What it allows.'),
  created_at: dateTime.describe('When the owner gave it.'),
  last_used_at: dateTime.nullable().describe('When a token of it was issued last; null where none was.'),
  suspended: z
    .strictObject({
      at: dateTime.describe('When.'),
      by: z.string().describe('The operator.'),
      reason: z.string().describe('As the operator gave it.'),
    })
    .nullable()
    .describe('The suspension, where it is suspended.'),
  operations_in_flight: z.int().min(0).describe('How many of its operations have no outcome yet.'),
})

/** A grant as operators see it. */
export type OperatorGrant = z.output<typeof operatorGrant>

/** The body of `POST /v1/ops/grants/{grant_id}/suspend`. */
export const suspendGrantBody = z.strictObject({
  reason: words(3, 500).describe('Why: operators and the owner of the grant read it.'),
})
