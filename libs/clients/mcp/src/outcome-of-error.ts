/**
 * Turns errors into answers in our own words. The text of an error can contain texts of others, so only the API's own
 * sentences are passed on.
 *
 * A write that may have been accepted is `unknown`, whatever the error is: the access may have ended, or a read may be
 * refused. `refused` and `unavailable` are only for calls that cannot have changed anything.
 */

import { ApiProblem, ClientError } from '@financial-agents/client'
import { type Answer, answer, type Next } from './answer.ts'
import { causesOf } from './causes.ts'
import { getOperation } from './operation-answer.ts'
import { OwnerActs } from './owner-desk.ts'
import { plainText } from './plain-text.ts'
import type { Call } from './tool.ts'

/**
 * A call that ended with an error. `writes` is true if the call may have sent a write, `again` if the answer to the same call
 * was `unknown` the last time.
 */
export type Failed = Pick<Call, 'resume' | 'operationId'> & { writes: boolean; again?: boolean }

const signIn: Next = { tool: 'sign_in', arguments: {} }

/** The advice for an error of the client, by its code. */
const advice: Readonly<Record<string, { message: string; next: Next | null }>> = {
  access_ended: {
    message: 'The owner or an operator has ended the access. Ask the person before you call sign_in.',
    next: signIn,
  },
  sign_in_needed: { message: 'Nobody has signed in.', next: signIn },
  sign_in_declined: { message: 'The owner declined the sign-in, or did not finish it in time.', next: signIn },
  client_refused: {
    message:
      'The API does not know this client or refuses its scopes. The person who started the server has to compare --client-id and --scopes with the registration.',
    next: null,
  },
  clock_wrong: { message: 'The clock of this machine is wrong. The person has to set it.', next: null },
}

function adviceOf(error: unknown): { message: string; next: Next | null } | undefined {
  // The message is the client's own: it names the file, and says what to do.
  if (error instanceof ClientError && error.code === 'store_damaged') return { message: error.message, next: null }
  return advice[codeOf(error)]
}

export function answerOf(error: unknown, { writes, resume, operationId, again = false }: Failed): Answer {
  const next = operationId === undefined ? resume : getOperation(operationId)
  if (error instanceof OwnerActs) return ownerAnswer(error, next)
  const isStuck = again && JSON.stringify(next) === JSON.stringify(resume)
  if (operationId !== undefined) return isStuck ? stuck(error, resume) : unread(error, next)
  if (writes && cannotBeSentAgain(error)) return startedBefore(error, resume)
  if (writes && isUncertain(error)) return isStuck ? stuck(error, resume) : unknown(error, next)
  // Something in between cannot refuse in place of the API.
  if (error instanceof ApiProblem) return error.retryable || !error.fromApi ? unavailable(error, next) : refusal(error)
  const known = adviceOf(error)
  return known ? answer('refused', { ...known }) : answer('unavailable', { next })
}

/**
 * True if the API refused the write, and neither this attempt nor an earlier one can have been accepted. A busy API has
 * not decided yet.
 */
export function leavesNothing(error: unknown): boolean {
  if (isUncertain(error) || cannotBeSentAgain(error)) return false
  return error instanceof ApiProblem ? !error.retryable : codeOf(error) !== 'unreachable'
}

/** True if the error does not tell if the write was accepted. */
function isUncertain(error: unknown): boolean {
  // A proxy in between cannot say what the API received.
  if (error instanceof ApiProblem) return error.submissionUncertain || !error.fromApi
  if (error instanceof ClientError) return error.submissionUncertain
  // The call was ended while it waited for an answer.
  return true
}

function cannotBeSentAgain(error: unknown): boolean {
  return /^intent_(?:expired|conflict)$/.test(codeOf(error))
}

/** The code of the error; empty if the error is not one of the client. */
function codeOf(error: unknown): string {
  return error instanceof ApiProblem || error instanceof ClientError ? error.code : ''
}

/**
 * The answer about a write that may have been accepted. `problem` is the innermost refusal in the chain of causes: that of the
 * last read, if a read was refused. The message ends with the advice for the first cause that has one.
 */
function unknown(error: unknown, next: Next, message?: string): Answer {
  const causes = causesOf(error)
  const problem = causes.findLast((cause) => cause instanceof ApiProblem)
  const base = answer('unknown', { next, ...(problem && { problem: problemOf(problem) }) })
  const hindrance = causes.map((cause) => adviceOf(cause)?.message).find((known) => known !== undefined)
  return { ...base, message: [message ?? base.message, hindrance].filter(Boolean).join(' ') }
}

/** The list that shows what became of the writes of a tool. */
function listFor({ tool }: Next): Next {
  return { tool: tool === 'submit_payment' ? 'list_payments' : 'list_operations', arguments: {} }
}

/** The answer about a call that would name itself as the next one without end. */
function stuck(error: unknown, resume: Next): Answer {
  return unknown(
    error,
    listFor(resume),
    'It is still not known if it was accepted: the same call was answered like this before. Tell the person, and do not start it anew. The list in `next` shows it if it was accepted.',
  )
}

/** The answer about a write that was started earlier, and cannot be sent again. The lists show what became of it. */
function startedBefore(error: unknown, resume: Next): Answer {
  return unknown(
    error,
    listFor(resume),
    codeOf(error) === 'intent_conflict'
      ? 'This was started before with other terms, and may have been accepted then. This call sent nothing. The list in `next` shows it.'
      : undefined,
  )
}

/** The answer about an operation whose state could not be read. */
function unread(error: unknown, next: Next): Answer {
  if (causesOf(error).some((cause) => codeOf(cause) === 'operation_not_found'))
    return unknown(
      error,
      { tool: 'list_operations', arguments: {} },
      'There is no such operation of this owner and client. This does not prove that nothing was done: the list in `next` shows every write.',
    )
  return unknown(
    error,
    next,
    'How the operation stands could not be read. It may be done or under way, so do not start it anew. The call in `next` reads it.',
  )
}

function ownerAnswer({ needed }: OwnerActs, resume: Next): Answer {
  const { kind, url, code, expiresAt } = needed
  return answer('needs_owner', {
    next: resume,
    owner_action: { kind, url, ...(code === undefined ? {} : { code }), expires_at: expiresAt?.toISOString() ?? null },
  })
}

type Problem = Pick<ApiProblem, 'code' | 'detail' | 'fields' | 'requestId'>

/** The problem with the API's own sentences. */
export function problemOf({ code, detail, fields, requestId }: Problem): NonNullable<Answer['problem']> {
  return {
    code: plainText(code, 100),
    detail: plainText(detail, 1_000),
    fields: fields
      .slice(0, 20)
      .map(({ path, message }) => ({ path: plainText(path), message: plainText(message, 500) })),
    request_id: requestId === undefined ? null : plainText(requestId, 100),
  }
}

/** The owner has answered. The same question again would only open the same page. */
export const declined = {
  message:
    'The owner declined this on the page. Tell the person, and do not ask for it again by any call. For a day this server asks only for other terms.',
  do_not_repeat: true,
}

function refusal(problem: ApiProblem): Answer {
  return answer('refused', { problem: problemOf(problem), ...(problem.code === 'confirmation_declined' && declined) })
}

function unavailable(problem: ApiProblem, resume: Next): Answer {
  return answer('unavailable', { problem: problemOf(problem), next: resume })
}
