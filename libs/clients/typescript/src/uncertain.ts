/** Marks errors that leave open if a write was accepted. A caller that trusted them would make the write a second time. */

import { because, ClientError } from './client-error.ts'
import { ApiProblem } from './problem.ts'

/**
 * The error with `submissionUncertain` true, and the advice at the end of its message. An error of the application, for
 * example of its store, becomes the cause of a ClientError.
 */
export function asUncertain(error: unknown, advice: string): unknown {
  // Each attempt makes its own problem. Several calls can get the same ClientError, for example that of a renewal.
  if (error instanceof ApiProblem && !error.submissionUncertain)
    return Object.assign(error, { submissionUncertain: true, message: `${error.message} ${advice}` })
  if (error instanceof ClientError && !error.submissionUncertain)
    return new ClientError(error.code, `${error.message} ${advice}`, { cause: error, submissionUncertain: true })
  if (error instanceof ApiProblem || error instanceof ClientError) return error
  const message = `Something failed after the request was sent${because(error)}. ${advice}`
  return new ClientError('outcome_unknown', message, { cause: error, submissionUncertain: true })
}

/** Waits for the work, and marks its error. The reason of the signal stays as it is. */
export async function uncertainly<Result>(
  work: Promise<Result>,
  advice: string,
  signal: AbortSignal | undefined,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw isReason(error, signal) ? error : asUncertain(error, advice)
  }
}

/** True if the error is the reason by which the caller ended the call. */
export function isReason(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && error === signal.reason
}
