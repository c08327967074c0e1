/**
 * One HTTP/1.1 exchange with a provider: one request, written at most once, and the proof of what happened to it.
 *
 * Invariant: `unsent` means that undici never began to write the request (`onRequestStart` was not reached) and never will.
 * A request that still waits when its time is up is refused at the socket. The proof is that event and not the error's code,
 * so no list of codes has to be complete. A second start throws, so the client library cannot write a request again.
 */

import { type Dispatcher, errors, Pool } from 'undici'

export type ExchangeRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Time up to the last byte of the answer, waiting for a connection included. */
  readonly timeoutMs: number
}

export type ExchangeResult =
  | { readonly type: 'answered'; readonly status: number; readonly body: string }
  /**
   * The request could not be written as HTTP (a control character in a header). The error is ours, and nothing was
   * sent.
   */
  | { readonly type: 'unwritable' }
  | { readonly type: 'unsent'; readonly cause: string }
  | { readonly type: 'lost'; readonly why: 'timeout' | 'connection' | 'unreadable'; readonly cause: string }

export type Exchange = {
  send(request: ExchangeRequest): Promise<ExchangeResult>
  close(): Promise<void>
}

export type ExchangeOptions = {
  /** Scheme, host and port. */
  readonly origin: string
  /** The most open connections, with one request at a time on each. Further requests wait. */
  readonly connections: number
  readonly connectTimeoutMs: number
  readonly maxResponseBytes: number
  /** The client certificate of mutual TLS, and the authorities of the provider's certificate; PEM. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string } | undefined
}

/** Opens a pool of keep-alive connections to one origin. Connections are made when first needed. */
export function createExchange(options: ExchangeOptions): Exchange {
  const pool = new Pool(options.origin, {
    connections: options.connections,
    pipelining: 1,
    // HTTP/2 multiplexes requests, and lets a peer ask for a request again. It would be harder to prove what was sent.
    allowH2: false,
    connectTimeout: options.connectTimeoutMs,
    connect: { timeout: options.connectTimeoutMs, ...options.tls },
    // One timer of our own covers the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: options.maxResponseBytes,
  })
  return {
    send: (request) => sendOnce(pool, request),
    close: () => pool.close(),
  }
}

function sendOnce(pool: Pool, request: ExchangeRequest): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let settled = false
    let status = 0
    const chunks: Buffer[] = []

    const settle = (result: ExchangeResult): void => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      resolve(result)
    }
    const timer = setTimeout(() => {
      if (controller === undefined) return settle({ type: 'unsent', cause: 'no free connection in time' })
      settle({ type: 'lost', why: 'timeout', cause: 'timeout' })
      controller.abort(new Error('time is up'))
    }, request.timeoutMs)

    pool.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: request.headers,
        body: request.body,
        // No request is pipelined behind another one, whose failure would also fail this request.
        idempotent: false,
      },
      {
        onRequestStart(started) {
          // Throwing here keeps undici from writing a byte.
          if (settled) throw new Error('no longer wanted')
          if (controller !== undefined) throw new Error('a request is written once')
          controller = started
        },
        onResponseStart(_controller, statusCode) {
          status = statusCode
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          settle({ type: 'answered', status, body: textOf(chunks) })
        },
        onResponseError(_controller, error) {
          settle(controller === undefined ? withoutStart(error) : afterStart(error))
        },
      },
    )
  })
}

function textOf(chunks: readonly Buffer[]): string {
  const only = chunks[0]
  return chunks.length === 1 && only !== undefined ? only.toString('utf8') : Buffer.concat(chunks).toString('utf8')
}

function withoutStart(error: Error): ExchangeResult {
  const code = codeOf(error)
  return code === 'UND_ERR_INVALID_ARG' ? { type: 'unwritable' } : { type: 'unsent', cause: code }
}

function afterStart(error: Error): ExchangeResult {
  const code = codeOf(error)
  const unreadable = error instanceof errors.HTTPParserError || unreadableCodes.has(code)
  return { type: 'lost', why: unreadable ? 'unreadable' : 'connection', cause: code }
}

const unreadableCodes: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
])

/** The error's code alone: its message may quote addresses or header values. */
function codeOf(error: Error): string {
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : 'UNKNOWN'
}
