/** One attempt of a call, and what the attempt proves. Repetitions are decided by it. */

import type { Core } from './core.ts'
import { neverSent, retryAfterMs } from './http.ts'
import { Unsent } from './oauth-failure.ts'
import { ApiProblem } from './problem.ts'
import { type ApiRequest, type Sent, send } from './transport.ts'

/** The end of one attempt. */
export type Attempt =
  | { end: 'answered'; body: unknown; response: Response }
  /** The API refused. `afterMs`: when it may be asked again. */
  | { end: 'refused'; problem: ApiProblem; afterMs: number | undefined }
  /** Nothing was sent. */
  | { end: 'unsent'; error: unknown; afterMs: number | undefined }
  /** The request may have been carried out. */
  | { end: 'unanswered'; error: unknown; afterMs: number | undefined }

type Options = { signal?: AbortSignal; onResponse?: (response: Response) => void }

/**
 * Sends the request once.
 *
 * @throws the signal's reason; a ClientError that a repetition cannot resolve; or the error of a function of the
 * application, such as its store, that is needed before anything can be sent
 */
export async function attempt(core: Core, request: ApiRequest, { signal, onResponse }: Options = {}): Promise<Attempt> {
  signal?.throwIfAborted()
  let sent: Sent
  try {
    sent = await send(core, request, signal)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Unsent) return { end: 'unsent', error: error.cause, afterMs: error.retryAfterMs }
    throw error
  }
  const last = 'lost' in sent ? lost(sent.lost) : await endOf(sent.response, onResponse)
  if ('error' in last) signal?.throwIfAborted()
  return last
}

function lost(error: unknown): Attempt {
  return { end: neverSent(error) ? 'unsent' : 'unanswered', error, afterMs: undefined }
}

async function endOf(response: Response, onResponse: Options['onResponse']): Promise<Attempt> {
  try {
    onResponse?.(response)
    const text = await response.text()
    if (response.ok) return { end: 'answered', body: text === '' ? undefined : JSON.parse(text), response }
    const problem = new ApiProblem(response, parsed(text))
    const afterMs = retryAfterMs(response)
    // A proxy in between answered. It cannot say if the API received the request.
    if (!problem.fromApi && response.status >= 500) return { end: 'unanswered', error: problem, afterMs }
    return { end: 'refused', problem, afterMs }
  } catch (error) {
    return { end: 'unanswered', error, afterMs: undefined }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
