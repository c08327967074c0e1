/**
 * The operators' view: operations with their history and evidence, and grants. It never contains a payload, and
 * identifies a customer only by the pairwise subject.
 */

import { z } from 'zod'
import { failureCodeNames } from '../failure-codes.ts'
import { movers, type OperationState, operationStates } from '../machine/machine.ts'
import { client, clientNames, grantStatus, scope } from './authorization.ts'
import { documented } from './documented.ts'
import { operation, operationKind, operationState } from './operation.ts'
import { count, cursor, dateTime, decimal, limit, money, rfcUuid, text, timestamp, words } from './primitives.ts'
import { clientId, eur, ids, written } from './story.ts'
import { webhookDelivery } from './webhook.ts'

const flag = z
  .enum(['true', 'false'], { error: 'Send true or false.' })
  .transform((value) => value === 'true')
  .optional()

const seconds = z.coerce
  .number({ error: 'Send whole seconds.' })
  .int({ error: 'Send whole seconds.' })
  .min(0, { error: 'Send whole seconds.' })
  .max(315_360_000, { error: 'Send at most ten years in seconds.' })
  .optional()

/** The query of `GET /v1/ops/operations`. */
export const operatorOperationsQuery = z.strictObject({
  state: operationState.optional().describe('Only operations in this state.'),
  kind: operationKind.optional().describe('Only operations of this kind.'),
  client_id: text(1, 200).optional().describe('Only operations of this client.'),
  grant_id: rfcUuid.optional().describe('Only operations under this grant.'),
  review: flag.describe(
    'Only operations that are under review (`true`) or are not (`false`). For an operation under review, reads alone cannot prove the outcome.',
  ),
  same_owner_as: rfcUuid
    .optional()
    .describe('Only operations of the owner of this grant, by all clients and under all grants.'),
  owner: text(1, 200)
    .optional()
    .describe('Only operations of the customer whom the provider knows by this reference, by all clients.'),
  min_age_seconds: seconds.describe('Only operations that were created at least this many seconds ago.'),
  max_age_seconds: seconds.describe('Only operations that were created less than this many seconds ago.'),
  created_from: timestamp.optional().describe('Only operations that were created at this time or later.'),
  created_until: timestamp.optional().describe('Only operations that were created at this time or earlier.'),
  ended_from: timestamp.optional().describe('Only operations whose outcome came at this time or later.'),
  ended_until: timestamp.optional().describe('Only operations whose outcome came before this time.'),
  failure_code: z
    .enum(failureCodeNames, { error: 'Send a failure code of this API.' })
    .optional()
    .describe('Only operations with this failure code.'),
  resource_id: rfcUuid.optional().describe('Only operations that concern this resource.'),
  upstream_reference: text(1, 200).optional().describe('Only operations with this reference of the provider.'),
  trace_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/, { error: 'Send 32 hexadecimal digits.' })
    .optional()
    .describe('Only operations that were requested within this trace.'),
  mandate_id: rfcUuid.optional().describe('Only operations under this mandate.'),
  amount_from: decimal.max(40).optional().describe('Only payments of at least this amount, in any currency.'),
  amount_to: decimal.max(40).optional().describe('Only payments of at most this amount, in any currency.'),
  cursor,
  limit,
})

/** The operation of the examples, which is also the item of the list. */
const exampleOperation = {
  id: ids.operation,
  kind: 'mandate_transfer',
  state: 'indeterminate',
  submission_uncertain: true,
  failure_code: 'provider_connection_lost',
  failure_detail: 'The connection broke before the answer came.',
  ...written,
  resource_id: ids.mandate,
  resource_type: 'mandate',
  next_reconcile_at: '2026-11-20T10:15:04.000Z',
  upstream_reference: 'up_8c13f2',
  subject: 'hU3xq0T9bV',
  client: { id: clientId, name: 'Rent agent' },
  grant_id: ids.grant,
  mandate_id: ids.mandate,
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  payment: eur('850.00'),
  review: true,
  review_reason: 'not found by 10 reads',
  age_seconds: 3_600,
} as const

/** An operation as operators see it. */
export const operatorOperation = operation
  .omit({ action_required: true })
  .extend({
    subject: z.string().describe('The pairwise subject of the owner for the client.'),
    client: clientNames.describe('The client that requested the operation.'),
    grant_id: z.string().describe('The grant under which the client requested the operation.'),
    mandate_id: z.string().nullable().describe('The mandate under which the operation is; null if it is under none.'),
    trace_id: z.string().nullable().describe('The trace of the request that was accepted; null if there was none.'),
    payment: money.nullable().describe('The amount of an operation that pays; null for all others.'),
    review: z.boolean().describe('True if the operation is under review: reads alone cannot prove the outcome.'),
    review_reason: z.string().nullable().describe('The reason for the review.'),
    age_seconds: count.describe('The number of seconds since acceptance.'),
  })
  .register(documented, { id: 'OperatorOperation', examples: [exampleOperation] })

export type OperatorOperation = z.output<typeof operatorOperation>

/** The evidence on which a transition is based. */
const operatorEvidence = z
  .strictObject({
    read: z.string().describe('The read at the provider.'),
    result: z.string().describe('The result of the read.'),
    observed_at: dateTime.describe('The time of the read.'),
    digest: z.string().describe('The digest of the whole answer, which is not stored.'),
  })
  .register(documented, { id: 'OperatorEvidence' })

/** The service that made a move. */
export const mover = z.enum(movers).register(documented, { id: 'Mover' })

const operatorHistoryEntry = z
  .strictObject({
    sequence: z.int32().min(1).describe('The number of the move, counted from 1.'),
    from: operationState.nullable().describe('The state before the move; null if the operation was created.'),
    to: operationState.describe('The state after the move.'),
    by: mover.describe('The service that made the move.'),
    at: dateTime.describe('The time of the move.'),
    reason: z.string().nullable().describe('The reason, if more is known than the states tell.'),
    evidence: operatorEvidence.nullable().describe('The evidence for the move; null if no read was needed.'),
  })
  .register(documented, { id: 'OperatorHistoryEntry' })

/** An answer of the provider that came after the attempt was given up. */
const operatorLateAnswer = z
  .strictObject({
    outcome: z.string().describe('The answer of the provider.'),
    observed_at: dateTime.describe('The time of the answer.'),
  })
  .register(documented, { id: 'OperatorLateAnswer' })

/** The reads of an operation at the provider. */
export const operatorReads = z
  .strictObject({
    count: count.describe('The number of all reads.'),
    not_found: count.describe('The number of reads that did not find the operation.'),
    items: z.array(operatorEvidence).max(100).describe('The newest reads, newest first.'),
    late_answer: operatorLateAnswer
      .nullable()
      .describe('The answer that came after the attempt was given up; null if none came.'),
  })
  .register(documented, { id: 'OperatorReads' })

/** `GET /v1/ops/operations/{operation_id}`. */
export const operatorOperationDetail = operatorOperation
  .extend({
    reads: operatorReads.describe('What the provider said when it was asked.'),
    history: z.array(operatorHistoryEntry).describe('All moves, oldest first.'),
    webhook_deliveries: z.array(webhookDelivery).describe('The notifications to the client.'),
  })
  .register(documented, {
    id: 'OperatorOperationDetail',
    examples: [
      {
        ...exampleOperation,
        reads: {
          count: 1,
          not_found: 1,
          items: [
            {
              read: 'mandate_transfer_by_reference',
              result: 'not_found',
              observed_at: '2026-11-20T10:14:34.000Z',
              digest: 'JhbBJxRPEOUOWC1wZcE6Ls2XCghIp2uH4rIVgqYSaWc',
            },
          ],
          late_answer: null,
        },
        history: [
          {
            sequence: 1,
            from: null,
            to: 'accepted',
            by: 'operations',
            at: written.created_at,
            reason: null,
            evidence: null,
          },
          {
            sequence: 2,
            from: 'accepted',
            to: 'submitting',
            by: 'submitter',
            at: written.created_at,
            reason: null,
            evidence: null,
          },
          {
            sequence: 3,
            from: 'submitting',
            to: 'indeterminate',
            by: 'submitter',
            at: written.updated_at,
            reason: 'The reply was lost.',
            evidence: {
              read: 'transaction_lookup',
              result: 'not_found',
              observed_at: written.updated_at,
              digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
            },
          },
        ],
        webhook_deliveries: [
          {
            id: ids.delivery,
            event_type: 'operation.indeterminate',
            operation_id: ids.operation,
            status: 'delivered',
            attempts: 1,
            last_status_code: 204,
            next_attempt_at: null,
            created_at: written.updated_at,
          },
        ],
      },
    ],
  })

export type OperatorOperationDetail = z.output<typeof operatorOperationDetail>

/**
 * The number of operations by state. States in flight count all operations; final states count those of the last 24
 * hours.
 */
const operatorCounts = z
  .strictObject(
    Object.fromEntries(
      operationStates.map((state) => [state, count.describe(`The number of operations that are \`${state}\`.`)]),
    ) as Record<OperationState, z.ZodInt32>,
  )
  .register(documented, { id: 'OperatorCounts' })

/** `GET /v1/ops/operations`. */
export const operatorOperations = z
  .strictObject({
    items: z.array(operatorOperation).max(100).describe('This page of the list.'),
    next_cursor: z
      .string()
      .nullable()
      .describe(
        'Pass it as cursor to go on; null at the end of the list. A page may be short, or empty, before the end.',
      ),
    counts: operatorCounts.describe(
      'The number of all operations by state, independent of the query. States in flight count all, final states count the last 24 hours.',
    ),
  })
  .register(documented, {
    examples: [
      {
        items: [exampleOperation],
        next_cursor: null,
        counts: {
          requires_action: 0,
          accepted: 0,
          submitting: 2,
          submitted: 4,
          succeeded: 318,
          failed: 3,
          indeterminate: 1,
          cancelled: 1,
        },
      },
    ],
  })

/** The query of `GET /v1/ops/grants`. */
export const operatorGrantsQuery = z.strictObject({
  grant_id: rfcUuid.optional().describe('Only this grant.'),
  client_id: text(1, 200).optional().describe('Only grants of this client.'),
  status: grantStatus.optional().describe('Only grants with this status.'),
  subject: text(1, 200).optional().describe('Only grants of this owner, by the pairwise subject for the client.'),
  same_owner_as: rfcUuid.optional().describe('Only grants of the owner of this grant, to all clients.'),
  owner: text(1, 200)
    .optional()
    .describe('Only grants of the customer whom the provider knows by this reference, to all clients.'),
  cursor,
  limit,
})

const grantSuspension = z
  .strictObject({
    at: dateTime.describe('The time of the suspension.'),
    by: z
      .string()
      .describe(
        'The operator who suspended the grant, `owner` if its owner paused it, or `configuration` if its client is no longer declared.',
      ),
    reason: z.string().describe('The reason, which only operators read.'),
    reason_for_owner: z.string().nullable().describe('The reason that the owner reads; null if there is none.'),
  })
  .register(documented, { id: 'GrantSuspension' })

/** A grant as operators see it. */
export const operatorGrant = z
  .strictObject({
    id: z.uuid().describe('The grant.'),
    subject: z.string().describe('The pairwise subject of the owner for the client.'),
    client: client.describe('The client that holds the grant.'),
    status: grantStatus.describe('The status of the grant.'),
    scopes: z.array(scope).meta({ uniqueItems: true }).describe('The scopes of the grant.'),
    created_at: dateTime.describe('The time at which the owner gave the grant.'),
    last_used_at: dateTime
      .nullable()
      .describe('The time at which a token of the grant was last issued; null if none was.'),
    suspended: grantSuspension.nullable().describe('The suspension; null if the grant is not suspended.'),
    operations_in_flight: count.describe('The number of its operations without an outcome.'),
  })
  .register(documented, {
    id: 'OperatorGrant',
    examples: [
      {
        id: ids.grant,
        subject: 'hU3xq0T9bV',
        client: { id: clientId, name: 'Rent agent', profile: 'web' },
        status: 'suspended',
        scopes: ['operations:read', 'spending:withdraw'],
        created_at: '2026-11-01T10:00:00.000Z',
        last_used_at: '2026-11-20T09:10:00.000Z',
        suspended: {
          at: '2026-11-20T09:30:00.000Z',
          by: 'jonas.brandt',
          reason: 'Its key was found in a public repository.',
          reason_for_owner: null,
        },
        operations_in_flight: 1,
      },
    ],
  })

export type OperatorGrant = z.output<typeof operatorGrant>

/** The body of `POST /v1/ops/grants/{grant_id}/suspend`. */
export const suspendGrantBody = z
  .strictObject({
    reason: words(3, 500).describe(
      'The reason, which only operators read: neither the owner of the grant nor its client.',
    ),
    reason_for_owner: words(3, 500)
      .optional()
      .describe(
        'A reason that the owner of the grant reads on the account page. Without it, the page gives no reason.',
      ),
  })
  .register(documented, { examples: [{ reason: 'Its key was found in a public repository.' }] })
