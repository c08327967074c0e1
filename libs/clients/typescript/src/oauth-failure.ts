/**
 * The failures of the authorization server, as errors that say what to do. Only an error of OAuth (RFC 6749, 5.2) is its result. Any
 * other answer may come from something in between, and says nothing about the grant or the client.
 */

import { ClientError } from './client-error.ts'
import { gotNoAnswer, retryAfterMs } from './http.ts'
import { hasType } from './own-answer.ts'

/** The request itself was not sent, because no token was available at that time. */
export class Unsent extends Error {
  readonly retryAfterMs: number | undefined

  constructor(cause: unknown, afterMs?: number) {
    super('no access token could be had', { cause })
    this.retryAfterMs = afterMs
  }
}

/** The members that errors of the OAuth library share with those of `token-answer.ts`. */
type Failure = Partial<{ code: unknown; error: string; error_description: string; response: Response; cause: unknown }>

function answerOf({ response, cause }: Failure): Response | undefined {
  return response ?? (cause instanceof Response ? cause : undefined)
}

/**
 * The error of OAuth (RFC 6749, 5.2) by which the server decided. Undefined if it has not decided, or if the answer may be that of
 * something in between.
 */
export function resultOf(error: unknown): string | undefined {
  const failure = error as Failure
  const answer = answerOf(failure)
  const isOwn = !answer || ((answer.status === 400 || answer.status === 401) && hasType(answer, 'application/json'))
  return isOwn && /^[a-z_]+$/.test(failure.error ?? '') ? failure.error : undefined
}

/** True if the server may still decide otherwise: no answer came, or none that is a result. */
export function isUndecided(error: unknown): boolean {
  return resultOf(error) === undefined && (gotNoAnswer(error) || answerOf(error as Failure) !== undefined)
}

const advices: Readonly<Record<string, readonly [code: string, advice: string]>> = {
  access_denied: ['sign_in_declined', 'The owner declined. Ask again with agent.signIn() if the owner wants to.'],
  invalid_dpop_proof: ['clock_wrong', 'The proof was refused. Is the clock of this machine right?'],
  expired_token: ['sign_in_declined', 'The code was not used in time. Call agent.signIn() for a new one.'],
}
const registration: readonly [string, string] = [
  'client_refused',
  'The server refuses this client. Compare clientId, key, scopes and redirectUri with the registration.',
]
const ofTheClient = /^(?:invalid_client|unauthorized_client|invalid_scope|invalid_target)$/

/** Explains why no token was obtained. `nowMs` is the server's time. */
export function explain(error: unknown, nowMs: number): Error {
  const failure = error as Failure
  const answer = answerOf(failure)
  const isBusy = answer ? answer.status === 429 || answer.status >= 500 : gotNoAnswer(error)
  if (isBusy) return new Unsent(error, answer && retryAfterMs(answer, nowMs))
  const result = resultOf(error)
  if (result === 'invalid_grant') return accessEnded(error)
  if (!answer && result === undefined && !String(failure.code).startsWith('OAUTH_')) return error as Error
  const [code, advice] = ofTheClient.test(result ?? '')
    ? registration
    : (advices[result ?? ''] ?? ['response_invalid', 'There are no tokens. Is baseUrl the origin of the API?'])
  const name = failure.error
  const said = [name, failure.error_description ?? (name ? undefined : (error as Error).message)]
    .filter(Boolean)
    .join(': ')
  return new ClientError(code, `${advice} (${said})`, { cause: error })
}

/** The grant has ended. */
export function accessEnded(cause?: unknown): ClientError {
  return new ClientError(
    'access_ended',
    'The access has ended: it was revoked, or unused for 30 days, or is 90 days old. Ask the owner again with agent.signIn(); writes in the store then go on with their intents.',
    { cause },
  )
}
