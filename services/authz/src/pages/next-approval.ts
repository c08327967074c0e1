/**
 * The way from a confirmation to the provider's approval: the application sends the confirmed request, and the provider
 * may then ask for the owner's approval. The answer to the owner's browser is delayed until it is known whether an
 * approval follows.
 *
 * Invariant: the browser is only sent to the origin of the provider's hosted pages.
 */

import { setTimeout } from 'node:timers/promises'
import { call } from '@financial-agents/bus/rpc'
import { refusals } from '@financial-agents/owner-pages/refusal'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { callContext } from '@financial-agents/pages/tunnel/call-context'
import { getAlone } from '@financial-agents/pages/tunnel/route-table'
import { isUuid } from '@financial-agents/postgres/is-uuid'
import type { FastifyInstance } from 'fastify'
import { findOperation } from './owner-activity.ts'
import { redirect } from './page-request.ts'
import type { PageTools } from './page-tools.ts'

/** `nothing`: no approval follows. `waiting`: it is not known yet. */
type Next = { type: 'approval'; url: string } | { type: 'nothing' } | { type: 'waiting' }

const longestWaitMs = 2_000
const pauseMs = 400

/** The maximum number of delayed answers for one confirmation. */
const turns = 6

export function addNextApproval(app: FastifyInstance, tools: PageTools): void {
  // While this answer is delayed, the browser still shows the previous page. Each answer leaves before the gateway
  // times out, and redirects to the next one.
  app.get<{ Params: { intentId: string }; Querystring: { turn?: unknown } }>(
    pagePaths.confirmNext,
    getAlone,
    async (request, reply) => {
      const { intentId } = request.params
      if (!isUuid(intentId)) throw refusals.notFound()
      const session = await tools.sessions.find(request, 'use')
      const page = pathTo(pagePaths.confirm, { intentId })
      if (!session) return redirect(reply, page)
      const next = await awaitNext(tools, { intentId, ownerId: session.ownerId })
      if (next.type === 'approval') return redirect(reply, next.url)
      if (next.type === 'nothing') return redirect(reply, page)
      const turn = Number(request.query.turn ?? 1)
      if (!(turn < turns)) return redirect(reply, `${page}?waited=yes`)
      return redirect(reply, `${pathTo(pagePaths.confirmNext, { intentId })}?turn=${turn + 1}`)
    },
  )
}

/** Waits at most two seconds for the approval that follows a confirmation. */
async function awaitNext(tools: PageTools, asked: { intentId: string; ownerId: string }): Promise<Next> {
  const looks = Math.ceil(Math.min(longestWaitMs, callContext().timeoutMs) / pauseMs)
  for (let look = 0; look < looks; look += 1) {
    const next = await findNext(tools, asked)
    if (next.type !== 'waiting') return next
    await setTimeout(pauseMs)
  }
  return { type: 'waiting' }
}

async function findNext(tools: PageTools, { intentId, ownerId }: { intentId: string; ownerId: string }): Promise<Next> {
  const request = { intent_id: intentId, owner_id: ownerId }
  const intent = await call(tools.bus, 'int.operations.find-intent', request, callContext())
  if (intent?.status === 'confirmed') return { type: 'waiting' }
  if (intent?.status !== 'consumed' || intent.operation_id === null) return { type: 'nothing' }
  const found = await findOperation(tools, ownerId, intent.operation_id)
  if (found?.operation.state !== 'requires_action') return { type: 'nothing' }
  const { approval } = found.operation
  if (!approval) return { type: 'waiting' }
  return URL.parse(approval.url)?.origin === tools.providerPagesOrigin
    ? { type: 'approval', url: approval.url }
    : { type: 'nothing' }
}
