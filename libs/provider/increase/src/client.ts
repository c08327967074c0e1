/**
 * One call of Increase: the package `increase` writes the request, and the exchange of `provider-http` sends it once and proves what
 * happened to it. The package's own errors, retries and logs are not used.
 *
 * Invariant: one call is at most one exchange. The API key goes into a header and nowhere else.
 */

import { createExchange, type Exchange, type ExchangeResult } from '@financial-agents/provider-http/exchange'
import Increase from 'increase'

export type Connection = {
  readonly apiKey: string
  /** `https://api.increase.com`, or `https://sandbox.increase.com`. */
  readonly baseUrl: string
  readonly connections: number
  readonly connectTimeoutMs: number
}

/** A request, as a call of the package. Its result is not used. */
export type Call = (client: Increase) => Promise<unknown>

export type CallOptions = {
  /** Time up to the last byte of the answer. */
  readonly timeoutMs: number
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined
}

export type Asking = {
  ask(call: Call, options: CallOptions): Promise<ExchangeResult>
  close(): Promise<void>
}

export function createAsking({ apiKey, baseUrl, ...limits }: Connection): Asking {
  const exchange = createExchange({ ...limits, origin: new URL(baseUrl).origin, maxResponseBytes: 4 * 1024 * 1024 })
  return {
    ask: (call, options) => askOnce(exchange, { apiKey, baseURL: baseUrl }, call, options),
    close: () => exchange.close(),
  }
}

async function askOnce(
  exchange: Exchange,
  connection: { readonly apiKey: string; readonly baseURL: string },
  call: Call,
  { timeoutMs, traceHeaders }: CallOptions,
): Promise<ExchangeResult> {
  if (timeoutMs <= 0) return { type: 'unsent', cause: 'no time left' }
  let result: ExchangeResult = { type: 'unwritable' }
  let begun = false
  const client = new Increase({
    ...connection,
    webhookSecret: null,
    defaultHeaders: traceHeaders ?? {},
    logLevel: 'off',
    maxRetries: 0,
    // This time-out never applies first: the exchange's own timer ends the call.
    timeout: timeoutMs + 60_000,
    fetch: async (address, init) => {
      if (begun) throw new Error('a request is sent once')
      begun = true
      const { pathname, search } = new URL(address instanceof Request ? address.url : address)
      result = await exchange.send({
        method: methodOf(init?.method),
        path: pathname + search,
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: typeof init?.body === 'string' ? init.body : null,
        timeoutMs,
      })
      // The error ends the call of the package. The result of the exchange is validated, and not the interpretation of the
      // package.
      throw new Error('validated elsewhere')
    },
  })
  await call(client).catch(() => undefined)
  return result
}

function methodOf(method: string | undefined): 'GET' | 'POST' | 'PATCH' {
  const upper = method?.toUpperCase()
  return upper === 'POST' || upper === 'PATCH' ? upper : 'GET'
}
