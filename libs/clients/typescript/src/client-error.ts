/** The errors that arise in the client itself. Their messages say what to do. */

/** The reason for the error. New codes may come. */
export type ClientErrorCode =
  /** No answer came. `submissionUncertain` says if the request may have been carried out. */
  | 'unreachable'
  /** The grant ended: revoked, suspended or expired. Call `agent.signIn()`. */
  | 'access_ended'
  /** Nobody has signed in, or not in the time of the call. */
  | 'sign_in_needed'
  /** The owner declined, or did not decide in time. */
  | 'sign_in_declined'
  /** The authorization server does not accept this client: its id, its key or its scopes. */
  | 'client_refused'
  /** The proof was refused, and the API's time could not be learnt: this machine's clock is wrong. */
  | 'clock_wrong'
  /** This intent was used with another request. */
  | 'intent_conflict'
  /** This intent is too old to be sent again safely. */
  | 'intent_expired'
  /** The owner has to act, and `onOwnerNeeded` is missing, or the time of the call is over. */
  | 'owner_needed'
  /** An operation that the verb needs has not succeeded (yet). `outcome` says how it stands. */
  | 'not_settled'
  /** A wait ended by an error, its `cause`. The operation goes on: wait again, or read it. */
  | 'wait_failed'
  /** A file of the store is empty or damaged. The message names it, and says what to do. */
  | 'store_damaged'
  /** Something of the application failed after a write was sent, for example its store: the `cause`. */
  | 'outcome_unknown'
  /** An option or an argument is wrong. */
  | 'invalid_use'
  /** A webhook is not signed by the keys, or too old. */
  | 'webhook_invalid'
  /** An answer is not what the protocols say. */
  | 'response_invalid'
  // oxlint-disable-next-line typescript/ban-types -- leaves room for codes to come, and keeps completion
  | (string & {})

/** The message of an error, for the end of a sentence: ` (the connection broke)`. */
export function because(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? ` (${message})` : ''
}

type Facts = { cause?: unknown; submissionUncertain?: boolean }

/** An error of the client: not a refusal of the API, which is an `ApiProblem`. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError'
  readonly code: ClientErrorCode
  /** True if a write may have been accepted: repeat it with the same intent, never with a new one. */
  readonly submissionUncertain: boolean

  constructor(code: ClientErrorCode, message: string, { cause, submissionUncertain = false }: Facts = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.submissionUncertain = submissionUncertain
  }
}
