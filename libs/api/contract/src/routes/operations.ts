/** Operations area: durable operations of the current subject and client. */

import { z } from 'zod'
import { route } from '../route.ts'
import { operation, operationKind, operationState } from '../schemas/operation.ts'
import { id, limitOr, pathId, text, timestamp } from '../schemas/primitives.ts'

const area = { area: 'operations', service: 'operations', scope: 'operations:read', binding: true } as const

export const operationsRoutes = {
  listOperations: route({
    summary: 'List operations, newest first',
    description:
      'Returns at most the 100 newest matches; there is no cursor. `idempotency_key` finds the operation of a lost response.',
    ...area,
    method: 'GET',
    path: '/v1/operations',
    client: 'operations.list',
    cli: 'operations list --limit 20',
    capability: 'operations.read',
    query: z.strictObject({
      state: operationState.optional().describe('Only operations in this state.'),
      kind: operationKind.optional().describe('Only operations of this kind.'),
      resource_id: id.optional().describe('Only operations that concern this resource.'),
      idempotency_key: text(16, 200).optional().describe('Only the operation that was started with this key.'),
      created_after: timestamp.optional().describe('Only operations that were accepted after this time.'),
      limit: limitOr(100),
    }),
    response: z.strictObject({ items: z.array(operation).max(100).describe('The operations, newest first.') }),
  }),
  getOperation: route({
    summary: 'Read an operation',
    description:
      'A read never submits anything. If the operation is `indeterminate`, keep reading it. Do not repeat the write, and do not use a new key.',
    ...area,
    method: 'GET',
    path: '/v1/operations/{id}',
    client: 'operations.get',
    cli: 'operations show {id}',
    capability: 'operations.read',
    params: z.strictObject({ id: pathId('The operation.') }),
    response: operation,
    problems: ['operation_not_found'],
  }),
  pollOperationApproval: route({
    summary: 'Read the state of the approval of an operation',
    description:
      'For an operation with `action_required`, after `poll_after_ms`. After the approval the operation continues, exactly once. Repeated polls never start another one.',
    ...area,
    method: 'POST',
    path: '/v1/operations/{operation_id}/approval/poll',
    client: 'operations.pollApproval',
    cli: 'operations wait {operation_id}',
    capability: 'operations.read',
    params: z.strictObject({ operation_id: pathId('The operation.') }),
    response: operation,
    problems: ['operation_not_found'],
  }),
}
