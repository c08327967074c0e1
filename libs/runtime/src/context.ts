/**
 * The context of the request under way: request id and W3C traceparent. Carried through awaits, put into every log
 * line and every message on the bus, with telemetry on or off.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomFillSync } from 'node:crypto'
import { activeTraceparent } from './trace.ts'

/** The request that is under way. */
export type RequestContext = { requestId: string; traceparent: string }

const storage = new AsyncLocalStorage<RequestContext>()

/** The context of the request under way, if any. */
export function currentContext(): RequestContext | undefined {
  return storage.getStore()
}

/** Runs `work` in `context`. */
export function withContext<Result>(context: RequestContext, work: () => Result): Result {
  return storage.run(context, work)
}

const wellFormed = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** That of the span under way, else the caller's where it is well-formed, else a new one (W3C Trace Context). */
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
