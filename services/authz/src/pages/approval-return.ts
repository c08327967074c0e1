/**
 * Where the provider's approval page sends the owner's browser. Whoever opens it, with whatever id, reads the same words: what
 * was decided is the provider's to say and the application's to hear.
 *
 * Invariant: nothing about an operation is told here, not even whether it exists, and nobody needs to be signed in.
 */

import { call } from '@financial-agents/bus/rpc'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance } from 'fastify'
import { callContext } from '../browser/call-context.ts'
import { sendView } from './page-request.ts'
import type { PageTools } from './page-tools.ts'
import { approvalReturnView } from './views/approval-return.ts'

type Params = { operationId: string }

export function addApprovalReturnPage(app: FastifyInstance, tools: PageTools): void {
  const { bus, log } = tools
  app.get<{ Params: Params }>(pagePaths.approvalReturn, async (request, reply) => {
    const { operationId } = request.params
    // Unheard, it is found by the next poll or by the sweep of operations.
    if (isUuid(operationId))
      await call(bus, 'int.operations.approval-returned', { operation_id: operationId }, callContext()).catch(
        (error: unknown) => log.warn({ err: error }, 'operations did not hear of a return from the provider'),
      )
    return sendView(reply, approvalReturnView(), tools)
  })
}
