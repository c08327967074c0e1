/**
 * Operator area: reads, and suspending a grant. Operators' tokens have another audience and class than customers'
 * tokens.
 */

import { z } from 'zod'
import { route } from '../route.ts'
import {
  operatorGrant,
  operatorGrantsQuery,
  operatorOperationDetail,
  operatorOperations,
  operatorOperationsQuery,
  suspendGrantBody,
} from '../schemas/operator.ts'
import { page, pathId } from '../schemas/primitives.ts'

const area = { area: 'operator', service: 'ops-console', audience: 'operator' } as const
const reads = { ...area, method: 'GET', scope: 'ops:read' } as const

export const operatorRoutes = {
  listOperatorOperations: route({
    ...reads,
    summary: 'List operations of all clients, newest first',
    path: '/v1/ops/operations',
    client: null,
    query: operatorOperationsQuery,
    response: operatorOperations,
  }),
  getOperatorOperation: route({
    ...reads,
    summary: 'Read one operation with its whole history and evidence',
    path: '/v1/ops/operations/{operation_id}',
    client: null,
    params: z.strictObject({ operation_id: pathId('The operation.') }),
    response: operatorOperationDetail,
    problems: ['operation_not_found'],
  }),
  listOperatorGrants: route({
    ...reads,
    summary: 'List grants, newest first',
    path: '/v1/ops/grants',
    client: null,
    query: operatorGrantsQuery,
    response: page(operatorGrant),
  }),
  suspendOperatorGrant: route({
    ...area,
    summary: 'Suspend a grant at once',
    description:
      'Takes effect on every replica within a second. A suspended grant is never resumed. If people sign in to the client, a new sign-in and consent of the owner replaces it, for a device with a new code. For a service account, a new declaration by an operator replaces it: the client is taken out of the declared clients and declared again. Suspending a suspended grant returns the same answer.',
    method: 'POST',
    path: '/v1/ops/grants/{grant_id}/suspend',
    client: null,
    scope: 'ops:suspend',
    params: z.strictObject({ grant_id: pathId('The grant.') }),
    body: suspendGrantBody,
    response: operatorGrant,
    unanswered: 'Read GET /v1/ops/grants to see if the grant is suspended, or send the identical request again.',
    problems: ['grant_not_found', 'grant_not_active'],
  }),
}
