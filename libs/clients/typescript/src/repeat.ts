/** Repeats attempts within a time limit. The pauses grow, and are never shorter than the API's `Retry-After`. */

import type { Attempt } from './attempt.ts'
import { because, ClientError } from './client-error.ts'
import type { Core } from './core.ts'
import { Unsent } from './oauth-failure.ts'
import type { ApiProblem } from './problem.ts'
import { entryOf } from './request-log.ts'
import { backoffMs, sleep } from './sleep.ts'
import type { Limited } from './time-limit.ts'
import type { ApiRequest } from './transport.ts'

/** Decides about repetitions of one call. */
export type Repetition = {
  /** Waits before the next attempt; false if there is no time left for it. */
  again(reason: string, afterMs: number | undefined): Promise<boolean>
}

/** Begins to count the time of a call. */
export function repetition(core: Core, request: ApiRequest, options: Limited): Repetition {
  const endsAtMs = Math.min(Date.now() + (options.retryForMs ?? core.retryForMs), options.endsAtMs)
  let attempts = 0
  return {
    again: async (reason, afterMs) => {
      const pauseMs = Math.max(backoffMs(attempts), afterMs ?? 0)
      attempts += 1
      if (Date.now() + pauseMs > endsAtMs) return false
      core.hooks.onRepeat?.({ ...entryOf(request), reason, afterMs: Math.round(pauseMs) })
      await sleep(pauseMs, options.signal)
      return true
    },
  }
}

/** The reason of a repetition, for logs: the code of a problem, or the end of the attempt. */
export function reasonOf(last: Attempt): string {
  return 'problem' in last ? last.problem.code : last.end
}

/** True if something in between says that it is busy, or that the API is away. */
export function isBusy({ status }: ApiProblem): boolean {
  return status === 429 || status >= 500
}

/**
 * The error of a call that got no answer.
 *
 * @param advice how to go on
 * @param submissionUncertain true if any attempt may have been carried out, not only the last one
 */
export function unreachable(
  origin: string,
  { error }: { error: unknown },
  advice: string,
  submissionUncertain: boolean,
): ClientError {
  return new ClientError('unreachable', `${origin} did not answer${because(error)}. ${advice}`, {
    cause: error,
    submissionUncertain,
  })
}

/** Waits for work that is not repeated. If no token could be obtained, the error is ClientError `unreachable`. */
export async function reached<Result>(origin: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof Unsent
      ? unreachable(origin, { error: error.cause }, 'Call again when it is back.', false)
      : error
  }
}
