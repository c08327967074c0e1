/** Operations area: durable operations of the current subject and client. */

import { z } from 'zod'
import { route } from '../route.ts'
import { operation, operationKind, operationState } from '../schemas/operation.ts'
import { id, limit, moment, text } from '../schemas/primitives.ts'

const area = { area: 'operations', service: 'operations', scope: 'operations:read', binding: true } as const

/** The rows of the area `operations`. */
export const operationsRoutes = {
  listOperations: route({
    ...area,
    method: 'GET',
    path: '/v1/operations',
    query: z.strictObject({
      state: operationState.optional(),
      kind: operationKind.optional(),
      resource_id: id.optional(),
      idempotency_key: text(16, 200).optional(),
      created_after: moment.optional(),
      limit: limit.default(100),
    }),
    response: z.strictObject({ items: z.array(operation).max(100) }),
  }),
  getOperation: route({
    ...area,
    method: 'GET',
    path: '/v1/operations/{id}',
    params: z.strictObject({ id: z.string() }),
    response: operation,
    problems: ['operation_not_found'],
  }),
  /** Reads what became of the owner's approval; enqueues the operation once, and never makes another. */
  pollOperationApproval: route({
    ...area,
    method: 'POST',
    path: '/v1/operations/{operation_id}/approval/poll',
    params: z.strictObject({ operation_id: z.string() }),
    response: operation,
    problems: ['operation_not_found'],
  }),
}
