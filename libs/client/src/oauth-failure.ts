/** The failures of the authorization server, as errors that say what to do. */

import { ClientError } from './client-error.ts'
import { gotNoAnswer, retryAfterMs } from './http.ts'

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

/** True if the same request may succeed later: no answer came, or the server is busy. */
export function isTransient(error: unknown): boolean {
  const status = answerOf(error as Failure)?.status
  return status === undefined ? gotNoAnswer(error) : status === 429 || status >= 500
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
const ofTheClient = /^(?:invalid_client|unauthorized_client|invalid_scope|invalid_target|http_401)$/

/** Explains why no token was obtained. */
export function explain(error: unknown): Error {
  const failure = error as Failure
  const answer = answerOf(failure)
  if (isTransient(error)) return new Unsent(error, answer && retryAfterMs(answer))
  const name = failure.error ?? (answer?.status === 401 ? 'http_401' : undefined)
  if (name === 'invalid_grant') return accessEnded(error)
  if (name === undefined && !String(failure.code).startsWith('OAUTH_')) return error as Error
  const [code, advice] = ofTheClient.test(name ?? '')
    ? registration
    : (advices[name ?? ''] ?? ['response_invalid', 'There are no tokens. Is baseUrl the origin of the API?'])
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
