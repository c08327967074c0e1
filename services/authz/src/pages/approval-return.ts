/**
 * The page to which the provider's approval page sends the owner's browser. It shows the same words to everybody, for
 * any id: the provider tells the decision, and the application receives it.
 *
 * Invariant: the page reveals nothing about an operation, not even its existence, and requires no sign-in.
 */

import { call } from '@financial-agents/bus/rpc'
import { approvalReturnView } from '@financial-agents/owner-pages/approval-return'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { getAlone } from '@financial-agents/pages/tunnel/route-table'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance } from 'fastify'
import { sendView } from './page-request.ts'
import type { PageTools } from './page-tools.ts'

type Params = { operationId: string }

export function addApprovalReturnPage(app: FastifyInstance, tools: PageTools): void {
  const { bus, log } = tools
  app.get<{ Params: Params }>(pagePaths.approvalReturn, getAlone, async (request, reply) => {
    const { operationId } = request.params
    // If the call is lost, the next poll or the background job of operations finds the decision.
    if (isUuid(operationId))
      await call(bus, 'int.operations.approval-returned', { operation_id: operationId }, callContext()).catch(
        (error: unknown) => log.warn({ err: error }, 'operations did not hear of a return from the provider'),
      )
    return sendView(reply, approvalReturnView(tools.readers.of(request)), tools)
  })
}
