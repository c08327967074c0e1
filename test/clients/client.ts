/** A published client as the cases drive it. */

/** The acts that a case can order. Each client has those of its interface. */
export type Act = 'pay' | 'read' | 'get' | 'show' | 'list' | 'wait' | 'subscribe' | 'unsubscribe'

export type Order = {
  do: Act
  /** The amount of the payment. Another amount is another request under the same intent. */
  amount: string
  /** The operation of `show` and `wait`. */
  operation: string
  /** The time of a wait, in milliseconds. */
  timeoutMs: number
}

/** The end of a call, as its caller has to understand it. */
export type Ending =
  /** Done; or the operation succeeded. */
  | 'done'
  | 'failed'
  /** Accepted, and not at its end. */
  | 'running'
  /** Refused by the API for certain: nothing happened. */
  | 'refused'
  /** Nothing happened for certain, and the same call may succeed later. */
  | 'unavailable'
  /** It may have happened: the same call goes on with it. */
  | 'uncertain'
  /** The intent belongs to another request. Nothing was sent. */
  | 'conflict'
  /** The intent is too old to be sent. Nothing was sent. */
  | 'expired'
  | 'needs_owner'

export type Ended = {
  is: Ending
  /** The identifier of the operation, if the client names it. */
  operation?: string | undefined
  /** The code of the error, and that of its cause. */
  code?: string | undefined
  cause?: string | undefined
  /** The words for the caller. */
  message?: string | undefined
}

export type Session = {
  do(order: Order): Promise<Ended>
  close?(): void
}

export type Start = {
  origin: string
  /** The time for which requests are repeated. */
  retryForMs: number
  /** True if the access token has expired. */
  isExpired: boolean
}

export type Client = {
  name: 'typescript' | 'python' | 'cli' | 'mcp'
  acts: readonly Act[]
  /** Starts the client for one case, with the tokens of an owner who has signed in. */
  start(start: Start): Promise<Session>
}

/** The session of an owner who has signed in, as the clients keep it. */
export const sessionOf = (isExpired: boolean) => ({
  accessToken: 'token',
  refreshToken: 'refresh',
  expiresAtMs: isExpired ? 0 : Date.now() + 3_600_000,
  scope: 'operations:read',
})

/** The facts of an error, under the same names in TypeScript and in Python. */
export type Failure = {
  code: string
  cause?: string | undefined
  message: string
  submissionUncertain: boolean
  /** Absent for errors that are no answer of the API. */
  problem?: { status: number; retryable: boolean; fromApi: boolean } | undefined
}

const codes: Readonly<Record<string, Ending>> = {
  intent_conflict: 'conflict',
  intent_expired: 'expired',
  unreachable: 'unavailable',
  response_invalid: 'unavailable',
  access_ended: 'needs_owner',
  sign_in_needed: 'needs_owner',
  owner_needed: 'needs_owner',
}

/** The message of an error to the caller. */
export function endingOf({ code, cause, message, submissionUncertain, problem }: Failure): Ended {
  const ofProblem =
    problem && (problem.fromApi && !problem.retryable && problem.status < 500 ? 'refused' : 'unavailable')
  const is = submissionUncertain ? 'uncertain' : (ofProblem ?? codes[code])
  if (!is) throw new Error(`no case expects the error ${code}: ${message}`)
  return { is, code, cause, message }
}
