/** One attempt of a call, and what the attempt proves. Repetitions are decided by it. */

import type { CallOptions } from './call-options.ts'
import { ClientError } from './client-error.ts'
import type { Core } from './core.ts'
import { learnTime, neverSent, retryAfterMs } from './http.ts'
import { Unsent } from './oauth-failure.ts'
import { isPromised, operationOf, parsed, problemIn } from './own-answer.ts'
import { ApiProblem } from './problem.ts'
import { abortable, longestTimerMs } from './sleep.ts'
import { type ApiRequest, type SendResult, send } from './transport.ts'

export type Attempt =
  | { end: 'answered'; body: unknown }
  /** The API refused. `afterMs`: when it may be asked again. */
  | { end: 'refused'; problem: ApiProblem; afterMs: number | undefined }
  /** Something in between answered, or the answer has been changed on its way. The request may have been carried out. */
  | { end: 'foreign'; problem: ApiProblem; afterMs: number | undefined }
  /** Nothing was sent. */
  | { end: 'unsent'; error: unknown; afterMs: number | undefined }
  /** The request may have been carried out. `cut`: the answer began, and could not be read to its end. */
  | { end: 'unanswered'; error: unknown; afterMs: undefined; cut: boolean }
  /** The application ended it: by its signal, or by an error of `onResponse`. The request may have been carried out. */
  | { end: 'failed'; error: unknown; afterMs: undefined }

type Options = Pick<CallOptions, 'signal' | 'onResponse'> & { endsAtMs?: number }

/**
 * Sends the request once. If it throws, nothing was sent that is still open.
 *
 * @throws the signal's reason; a ClientError that a repetition cannot resolve; or the error of a function of the
 * application, such as its store, that is needed before anything can be sent
 */
export async function attempt(core: Core, request: ApiRequest, options: Options = {}): Promise<Attempt> {
  const { signal, onResponse, endsAtMs = Number.POSITIVE_INFINITY } = options
  signal?.throwIfAborted()
  const leftMs = endsAtMs - Date.now()
  if (leftMs <= 0)
    return { end: 'unsent', error: new DOMException('no time is left', 'TimeoutError'), afterMs: undefined }
  const limit = leftMs === Number.POSITIVE_INFINITY ? undefined : AbortSignal.timeout(Math.min(leftMs, longestTimerMs))
  const either = signal && limit ? AbortSignal.any([signal, limit]) : (signal ?? limit)
  let sent: SendResult
  try {
    sent = await send(core, request, either, onResponse)
  } catch (error) {
    signal?.throwIfAborted()
    if (limit?.aborted && error === limit.reason) return noTokenInTime(core, error)
    if (error instanceof Unsent) return { end: 'unsent', error: error.cause, afterMs: error.retryAfterMs }
    throw error
  }
  if ('failed' in sent) return { end: 'failed', error: sent.failed, afterMs: undefined }
  const last = 'lost' in sent ? lost(sent.lost) : await endOf(core, request, sent.response, either)
  if (!signal?.aborted || !('error' in last)) return last
  if (last.end === 'unsent') throw signal.reason
  return { end: 'failed', error: signal.reason, afterMs: undefined }
}

/** @throws ClientError if the sign-in of the owner took the time */
function noTokenInTime({ session }: Core, error: unknown): Attempt {
  if (!session.waitsForOwner()) return { end: 'unsent', error, afterMs: undefined }
  throw new ClientError('sign_in_needed', 'The owner has not signed in yet. Call again: it goes on waiting.', {
    cause: error,
  })
}

function lost(error: unknown): Attempt {
  const facts = { error, afterMs: undefined }
  return neverSent(error) ? { end: 'unsent', ...facts } : { end: 'unanswered', ...facts, cut: false }
}

async function endOf(
  { origin, clock }: Core,
  { promised = {} }: ApiRequest,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  const text = await abortable(response.text(), signal).catch((error: unknown) => ({ error }))
  if (typeof text !== 'string') return { end: 'unanswered', error: text.error, afterMs: undefined, cut: true }
  const body = parsed(text)
  const own = problemIn(response, body, origin)
  const isAnswer = isPromised(response, body, promised)
  // Other JSON can look like a resource. Problem details and operations cannot be mistaken.
  if (own ?? (isAnswer && operationOf()(body))) learnTime(response)
  if (isAnswer) return { end: 'answered', body }
  const problem = new ApiProblem(response, own)
  return { end: own ? 'refused' : 'foreign', problem, afterMs: retryAfterMs(response, clock.now()) }
}
