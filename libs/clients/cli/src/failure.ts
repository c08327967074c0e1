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
  /** True if a write may have been accepted. */
  readonly submissionUncertain: boolean

  constructor(
    ending: Ending,
    code: string,
    message: string,
    { cause, submissionUncertain = ending === 'uncertain' }: { cause?: unknown; submissionUncertain?: boolean } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.ending = ending
    this.code = code
    this.submissionUncertain = submissionUncertain
  }
}

/** The command line is wrong. */
export const wrongUse = (message: string) => new CliError('wrongUse', 'wrong_use', message)

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
  response_invalid: 'unavailable',
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

/**
 * The failure of reading how an operation stands. It is never `failed`: the operation may have succeeded.
 *
 * @param error the error of the wait, or of the read before it
 */
export function unreadOutcome(error: unknown, operationId: string): CliError {
  const isAccepted = error instanceof ClientError && error.code === 'wait_failed'
  const reason = failureOf(isAccepted && error.cause instanceof Error ? error.cause : error)
  const ending = isAccepted || reason.ending === 'failed' ? 'uncertain' : reason.ending
  const isUnknown = reason.code === 'operation_not_found'
  const next = isUnknown ? 'list' : `wait ${operationId}`
  const message = `The outcome of the operation ${operationId} could not be read: it may have succeeded. ${failureText(reason)} To see what became of it: financial-agents operations ${next}`
  return new CliError(ending, isAccepted ? 'wait_failed' : reason.code, message, { cause: error })
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CliError) {
    const { ending, code, message, submissionUncertain } = error
    return { ending, code, message, submissionUncertain }
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

/** The end of the message about a write that may have been accepted. Other advice comes before it. */
const goesOn = 'Run the same command again: it goes on with the same intent, and does not pay twice.'

function ofApi(problem: ApiProblem): Failure {
  const { code, message, requestId, fields, retryable, status, fromApi, submissionUncertain } = problem
  const known = advices[code]
  const facts = { code, fields, submissionUncertain, ...(requestId === undefined ? {} : { requestId }) }
  const advised = known ? `${message} ${known.advice}` : message
  if (submissionUncertain) {
    // The client has looked for the operation, and that was refused too.
    const read = problem.cause instanceof Error ? ` ${failureOf(problem.cause).message}` : ''
    return { ...facts, ending: 'uncertain', message: `${advised}${read} ${goesOn}` }
  }
  if (known) return { ...facts, ending: known.ending, message: advised }
  // Something in between cannot refuse in place of the API.
  const isFinal = fromApi && !retryable && status < 500
  return { ...facts, ending: isFinal ? 'failed' : 'unavailable', message }
}

/** The codes of uncertain errors after which the same command does not go on. */
const saysWhatToDo = new Set<string>(['intent_expired', 'not_settled', 'store_damaged'])

function ofClient(error: ClientError): Failure {
  const { code, submissionUncertain } = error
  const message = error.message
    .replaceAll('agent.signIn()', '`financial-agents login`')
    .replaceAll('agent.operations.list()', '`financial-agents operations list`')
    .replaceAll('baseUrl', '--base-url')
    .replaceAll('payoutSchema', '--schema')
    .replaceAll('use a new intent', 'use a new one: --intent <name>')
  const ending =
    error instanceof NotSettledError
      ? endingOf[error.outcome.status]
      : submissionUncertain
        ? 'uncertain'
        : (endingsOfClient[code] ?? 'failed')
  const isOpen = submissionUncertain && !saysWhatToDo.has(code)
  return { ending, code, message: isOpen ? `${message} ${goesOn}` : message, submissionUncertain }
}

export function failureText({ message, requestId }: Failure): string {
  return plainLines(requestId === undefined ? message : `${message} (request ${requestId})`)
}

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
