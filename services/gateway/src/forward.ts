/**
 * Sends one request on the bus for a request that has passed its checks. A missing answer has two meanings. Either the
 * request was not received, and repeating it is safe. Or it may have been carried out, and the row has the advice for
 * the client.
 */

import type { Bus } from '@financial-agents/bus/connect'
import { NoResponders, TimedOut } from '@financial-agents/bus/errors'
import { type PassedReply, passRoute, routeSubject } from '@financial-agents/bus/rpc'
import type { Principal } from '@financial-agents/contract/principal'
import { Problem } from '@financial-agents/contract/problem'
import type { Route } from '@financial-agents/contract/route'
import { unansweredProblem } from '@financial-agents/contract/unanswered'
import type { BusState } from './bus-state.ts'
import { type Exchange, found } from './exchange.ts'
import type { Answer } from './respond.ts'

export type Forward = (exchange: Exchange) => Promise<Answer>

export function createForward(
  dependencies: { bus: Bus; busState: BusState; deadlineMs: number },
  name: string,
  row: Route,
): Forward {
  const { bus, busState, deadlineMs } = dependencies
  const subject = routeSubject(name, row)
  const textOf = row.audience === 'operator' ? operatorRequest : routeRequest
  return async (exchange) => {
    // A message written now would wait for the connection, and be carried out after the client was notified that it failed.
    if (!busState.isConnected()) throw new Problem('service_unavailable')
    const reply = await passRoute(bus, subject, textOf(exchange), {
      requestId: exchange.requestId,
      traceparent: exchange.traceparent,
      timeoutMs: deadlineMs,
      ...(exchange.grant ? { principal: principalOf(exchange.grant) } : {}),
    }).catch((error: unknown): never => {
      throw withoutAnswer(error, row)
    })
    return answerOf(reply, row)
  }
}

function answerOf(reply: PassedReply, row: Route): Answer {
  if (!reply.ok) throw Problem.from(reply.problem)
  return { status: row.status, json: row.status === 204 ? null : reply.json, replayed: reply.replayed }
}

/** The text of a RouteRequest. The body is forwarded as the client wrote it, because it was parsed and checked. */
function routeRequest({ params, query, text, idempotency, confirmation, scopes, grant, row }: Exchange): string {
  const rest = JSON.stringify({
    params,
    query,
    ...(idempotency ? { idempotency } : {}),
    ...(confirmation ? { confirmation } : {}),
    ...(scopes ? { scopes } : {}),
    ...(row?.policy ? { policy: grant?.policy } : {}),
  })
  return withBody(rest, text)
}

/**
 * The text of an operator's request. It has an operator and no principal, because operators' routes are not bound to an
 * owner.
 */
function operatorRequest({ params, query, text, operatorToken }: Exchange): string {
  return withBody(JSON.stringify({ params, query, operator: found(operatorToken).operator }), text)
}

function withBody(request: string, text: string | undefined): string {
  return text === undefined ? request : `${request.slice(0, -1)},"body":${text}}`
}

function principalOf(grant: NonNullable<Exchange['grant']>): Principal {
  const { owner_id, subject, client_id, grant_id, binding_id, expires_at } = grant
  return { owner_id, subject, client_id, grant_id, binding_id, grant_ends_at: expires_at }
}

function withoutAnswer(error: unknown, row: Route): unknown {
  if (error instanceof NoResponders) return new Problem('service_unavailable', { cause: error })
  return error instanceof TimedOut ? unansweredProblem(row, error) : error
}
