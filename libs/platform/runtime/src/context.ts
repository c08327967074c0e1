/**
 * The context of the current request: its id and its W3C traceparent. The context is kept across awaits, and is added
 * to every log line and every bus message, with or without telemetry.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import { activeTraceparent } from './trace.ts'

/** `timeoutMs`: the time for which the sender waits, in milliseconds. */
export type RequestContext = { requestId: string; traceparent: string; timeoutMs: number }

const storage = new AsyncLocalStorage<RequestContext>()

/** Undefined outside a request. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore()
}

export function withContext<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work)
}

const wellFormed = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/**
 * Returns the traceparent of the active span. Without a span, returns the caller's traceparent if it is well-formed, or
 * a new one (W3C Trace Context).
 */
export function traceparentOrNew(given: string | undefined): string {
  const active = activeTraceparent()
  if (active !== undefined) return active
  if (given !== undefined && wellFormed.test(given)) return given
  const bytes = randomHex(24)
  return `00-${bytes.slice(0, 32)}-${bytes.slice(32)}-00`
}

const pool = Buffer.alloc(4096)
let used = pool.length

function randomHex(bytes: number): string {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString('hex', used - bytes, used)
}
