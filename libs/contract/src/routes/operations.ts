/** Operations area: durable operations of the current subject and client. */

import { z } from 'zod'
import { route } from '../route.ts'
import { operation, operationKind, operationState } from '../schemas/operation.ts'
import { id, limitOr, moment, text } from '../schemas/primitives.ts'

const area = { area: 'operations', service: 'operations', scope: 'operations:read', binding: true } as const

/** The rows of the area `operations`. */
export const operationsRoutes = {
  listOperations: route({
    summary: 'List operations, newest first',
    description:
      'At most the 100 newest that match; there is no cursor. `idempotency_key` finds the operation whose response was lost.',
    ...area,
    method: 'GET',
    path: '/v1/operations',
    query: z.strictObject({
      state: operationState.optional().describe('Only those in this state.'),
      kind: operationKind.optional().describe('Only those of this kind.'),
      resource_id: id.optional().describe('Only those that concern this.'),
      idempotency_key: text(16, 200).optional().describe('Only the one that was begun with this key.'),
      created_after: moment.optional().describe('Only those that were accepted after this.'),
      limit: limitOr(100),
    }),
    response: z.strictObject({ items: z.array(operation).max(100).describe('Newest first.') }),
  }),
  getOperation: route({
    summary: 'Read an operation',
    description:
      'Reading it never submits anything. Keep reading an `indeterminate` one: do not repeat the write and do not use a new key.',
    ...area,
    method: 'GET',
    path: '/v1/operations/{id}',
    params: z.strictObject({ id: z.string().describe('The operation.') }),
    response: operation,
    problems: ['operation_not_found'],
  }),
  pollOperationApproval: route({
    summary: "Read what became of the owner's approval",
    description:
      'For an operation with `action_required`, after `poll_after_ms`. Once the owner has approved, the operation goes on, once; repeated polls never make another.',
    ...area,
    method: 'POST',
    path: '/v1/operations/{operation_id}/approval/poll',
    params: z.strictObject({ operation_id: z.string().describe('The operation.') }),
    response: operation,
    problems: ['operation_not_found'],
  }),
}
