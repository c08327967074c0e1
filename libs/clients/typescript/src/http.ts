/** Every request of the client: a time-out for each attempt, and the server's time learnt from the API's own answers. */

import type { Clock } from './clock.ts'
import { abortable, longestTimerMs } from './sleep.ts'

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * The errors of requests that got no answer. The errors of the application's own functions, such as its store, are not
 * among them, whatever their class is.
 */
const unanswered = new WeakSet<object>()

/** True if this is the error of a request that got no answer. */
export function gotNoAnswer(error: unknown): boolean {
  return unanswered.has(error as object)
}

/** Learns the server's time from each of these answers. Anything between the client and the API may have another time. */
const times = new WeakMap<Response, () => void>()

/** Call it only for an answer that is the API's own. */
export function learnTime(response: Response): void {
  times.get(response)?.()
}

/** The error as that of a request that got no answer, or got a part of one. */
export function noAnswer(error: unknown): unknown {
  if (typeof error === 'object' && error !== null) unanswered.add(error)
  return error
}

/** Wraps the platform's `fetch`, or the one that the application gave. */
export function createHttp(options: { fetch: Fetch; clock: Clock; attemptTimeoutMs: number }): Fetch {
  const { fetch, clock, attemptTimeoutMs } = options
  return async (url, init) => {
    const sentAtMs = Date.now()
    const limit = AbortSignal.timeout(Math.min(attemptTimeoutMs, longestTimerMs))
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
    try {
      const response = await abortable(fetch(url, { ...init, signal }).then(ofPlatform), signal)
      const receivedAtMs = Date.now()
      times.set(response, () => void clock.learn(response.headers, sentAtMs, receivedAtMs))
      return response
    } catch (error) {
      throw noAnswer(error)
    }
  }
}

/**
 * The answer as a response of the platform. Other implementations have other bodies: those of node-fetch 2 are streams of
 * Node.
 */
async function ofPlatform(given: unknown): Promise<Response> {
  if (given instanceof Response) return given
  const answer = given as Response
  const { status, headers } = answer
  const body = await answer.arrayBuffer()
  return new Response(body.byteLength === 0 ? null : body, { status, headers: [...headers] })
}

/**
 * True if the request never left: the connection was refused, or the name was not found. Only Node and Bun tell this.
 */
export function neverSent(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ConnectionRefused)$/.test(cause?.code ?? code ?? '')
}

/**
 * The wait that `Retry-After` asks for, in milliseconds: seconds, or the time of an HTTP date after `nowMs`. Undefined if
 * there is none.
 */
export function retryAfterMs({ headers }: Pick<Response, 'headers'>, nowMs: number): number | undefined {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const atMs = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
