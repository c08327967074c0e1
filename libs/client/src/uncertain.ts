/** Marks errors that leave open if a write was accepted. A caller that trusted them would make the write a second time. */

import { ClientError } from './client-error.ts'
import { ApiProblem } from './problem.ts'

/**
 * The error with `submissionUncertain` true, and the advice at the end of its message. An error that is not of the API or
 * the client, such as the reason of a signal, is returned as it is.
 */
export function asUncertain(error: unknown, advice: string): unknown {
  // Each attempt makes its own problem. Several calls can get the same ClientError, for example that of a renewal.
  if (error instanceof ApiProblem && !error.submissionUncertain)
    return Object.assign(error, { submissionUncertain: true, message: `${error.message} ${advice}` })
  if (error instanceof ClientError && !error.submissionUncertain)
    return new ClientError(error.code, `${error.message} ${advice}`, { cause: error, submissionUncertain: true })
  return error
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
