/** Explains failures to people and to programs: a message that says what to do, and an exit code. */

import { ApiProblem, ClientError, NotSettledError, type Outcome } from '@financial-agents/client'
import { type Ending, exitCodes } from './exit-codes.ts'
import { jsonOf } from './output/json.ts'
import { plain, plainLines } from './output/plain.ts'

/** A failure of the command line itself. Its message says what to do. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly code: string
  readonly ending: Ending

  constructor(ending: Ending, code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.ending = ending
    this.code = code
  }
}

/** The command line is wrong. */
export const wrongUse = (message: string) => new CliError('wrongUse', 'wrong_use', message)

/** A failure that is explained. */
export type Failure = {
  ending: Ending
  code: string
  message: string
  requestId?: string
  fields?: readonly { path: string; message: string }[]
  submissionUncertain: boolean
}

/** The ending of a command whose operation has this outcome. */
export const endingOf: Readonly<Record<Outcome['status'], Ending>> = {
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'failed',
  needs_owner: 'needsOwner',
  indeterminate: 'uncertain',
  still_running: 'stillRunning',
}

const endingsOfClient: Readonly<Record<string, Ending>> = {
  access_ended: 'needsOwner',
  sign_in_needed: 'needsOwner',
  sign_in_declined: 'needsOwner',
  owner_needed: 'needsOwner',
  intent_conflict: 'wrongUse',
  intent_expired: 'uncertain',
  invalid_use: 'wrongUse',
  unreachable: 'unavailable',
}

const advices: Readonly<Record<string, { ending: Ending; advice: string }>> = {
  insufficient_scope: {
    ending: 'needsOwner',
    advice: 'Sign in with more scopes: financial-agents login --scopes …',
  },
  invalid_token: { ending: 'needsOwner', advice: 'Sign in again: financial-agents login' },
  provider_connection_unavailable: { ending: 'needsOwner', advice: 'The owner has to connect the bank.' },
  confirmation_expired: { ending: 'needsOwner', advice: 'Run the same command again: the owner is asked anew.' },
}

/** Explains any error. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    const { ending, code, message } = error
    return { ending, code, message, submissionUncertain: ending === 'uncertain' }
  }
  if (error instanceof ApiProblem) return ofApi(error)
  if (error instanceof ClientError) return ofClient(error)
  const { message, stack } = error as Error
  return {
    ending: 'failed',
    code: 'internal',
    message: process.env['DEBUG'] ? `${stack}` : message,
    submissionUncertain: false,
  }
}

function ofApi(problem: ApiProblem): Failure {
  const { code, message, requestId, fields, retryable, submissionUncertain } = problem
  const known = advices[code]
  const told = { code, fields, submissionUncertain, ...(requestId === undefined ? {} : { requestId }) }
  if (submissionUncertain)
    return { ...told, ending: 'uncertain', message: `${message} Run the same command again: it does not pay twice.` }
  if (known) return { ...told, ending: known.ending, message: `${message} ${known.advice}` }
  return { ...told, ending: retryable ? 'unavailable' : 'failed', message }
}

function ofClient(error: ClientError): Failure {
  const { code, submissionUncertain } = error
  const message = error.message
    .replaceAll('agent.signIn()', '`financial-agents login`')
    .replaceAll('baseUrl', '--base-url')
    .replaceAll('payoutSchema', '--schema')
  const ending =
    error instanceof NotSettledError
      ? endingOf[error.outcome.status]
      : submissionUncertain
        ? 'uncertain'
        : (endingsOfClient[code] ?? 'failed')
  return { ending, code, message, submissionUncertain }
}

/** A failure as text for people. */
export function failureText({ message, requestId }: Failure): string {
  return plainLines(requestId === undefined ? message : `${message} (request ${requestId})`)
}

/** A failure as JSON for programs. */
export function failureJson({ ending, code, message, requestId, fields, submissionUncertain }: Failure): string {
  return jsonOf({
    error: {
      code,
      message: plain(message),
      exit_code: exitCodes[ending],
      submission_uncertain: submissionUncertain,
      request_id: requestId ?? null,
      fields: fields ?? [],
    },
  })
}
