/** One call of a provider: JSON, the credentials if there are any, and the caller's trace headers. */

import type { AnonymousCallContext, CallContext } from '@financial-agents/provider-port/port'
import type { Exchange, ExchangeResult } from './exchange.ts'

export function post(
  exchange: Exchange,
  path: string,
  call: AnonymousCallContext | CallContext,
  body: object,
): Promise<ExchangeResult> {
  const headers = { ...headersOf(call), 'content-type': 'application/json' }
  return exchange.send({ method: 'POST', path, headers, body: JSON.stringify(body), timeoutMs: call.timeoutMs })
}

export function get(
  exchange: Exchange,
  path: string,
  call: AnonymousCallContext | CallContext,
): Promise<ExchangeResult> {
  return exchange.send({ method: 'GET', path, headers: headersOf(call), body: null, timeoutMs: call.timeoutMs })
}

/** `path` with the parameters that have a value. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

function headersOf(call: AnonymousCallContext | CallContext): Record<string, string> {
  const authorization = 'credentials' in call ? { authorization: `Bearer ${call.credentials}` } : {}
  return { ...call.traceHeaders, accept: 'application/json', ...authorization }
}
