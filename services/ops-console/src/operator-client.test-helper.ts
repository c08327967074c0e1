/** Calls the operators' routes over the bus, as the gateway does for an authenticated operator. */

import { randomUUID } from 'node:crypto'
import type { Bus } from '@financial-agents/bus/connect'
import { callRoute, type Operator, type Reply, routeSubject } from '@financial-agents/bus/rpc'
import { operatorRoutes } from '@financial-agents/contract/routes/operator'

export const consoleUrl = 'http://console.test'
export const marta: Operator = { id: 'marta.vidal', name: 'Marta Vidal' }

type CallInput = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; timeoutMs?: number }
type Name = keyof typeof operatorRoutes

/** Sends requests of the operators' routes as the gateway does. */
export function createOperatorClient(gateway: Bus) {
  return (name: Name, given: CallInput = {}, operator: Operator = marta): Promise<Reply<unknown>> => {
    const { params = {}, query = {}, body, timeoutMs = 60_000 } = given
    const request = { params, query, operator, ...(body === undefined ? {} : { body }) }
    const context = { requestId: randomUUID(), traceparent: '', timeoutMs }
    return callRoute(gateway, routeSubject(name, operatorRoutes[name]), request, context)
  }
}
