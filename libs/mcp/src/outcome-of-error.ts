/**
 * Turns errors into answers in our own words. The text of an error can contain texts of others, so only the API's own
 * sentences are passed on.
 */

import { ApiProblem, ClientError } from '@financial-agents/client'
import { type Answer, answer, type Next } from './answer.ts'
import { OwnerActs } from './owner-desk.ts'
import { plainText } from './plain-text.ts'

const signIn: Next = { tool: 'sign_in', arguments: {} }

/** The advice for an error of the client, by its code. */
const advice: Readonly<Record<string, { message: string; next: Next | null }>> = {
  access_ended: {
    message: 'The owner or an operator has ended the access. Ask the person before you sign in again.',
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
  intent_conflict: { message: 'This was started before with other terms. Nothing was sent.', next: null },
}

/** True if the error does not tell if the write was accepted. */
export function isUncertain(error: unknown): boolean {
  if (error instanceof ApiProblem || error instanceof ClientError) return error.submissionUncertain
  // The call was ended while it waited for an answer.
  return true
}

/**
 * The answer for an error.
 *
 * @param writes true if the call may have sent a write
 * @param resume the call that continues this one
 */
export function answerOf(error: unknown, writes: boolean, resume: Next): Answer {
  if (error instanceof OwnerActs) return ownerAnswer(error, resume)
  if (writes && isUncertain(error)) return answer('unknown', { next: resume })
  if (error instanceof ApiProblem) return error.retryable ? unavailable(error, resume) : refusal(error)
  const code = error instanceof ClientError ? error.code : ''
  if (code === 'intent_expired') return answer('unknown', { next: { tool: 'list_payments', arguments: {} } })
  const known = advice[code]
  if (known) return answer('refused', { ...known })
  return answer('unavailable', { next: resume })
}

function ownerAnswer({ needed }: OwnerActs, resume: Next): Answer {
  const { kind, url, code, expiresAt } = needed
  return answer('needs_owner', {
    next: resume,
    owner_action: { kind, url, ...(code === undefined ? {} : { code }), expires_at: expiresAt?.toISOString() ?? null },
  })
}

function problemOf({ code, detail, fields, requestId }: ApiProblem): NonNullable<Answer['problem']> {
  return {
    code: plainText(code, 100),
    detail: plainText(detail, 1_000),
    fields: fields
      .slice(0, 20)
      .map(({ path, message }) => ({ path: plainText(path), message: plainText(message, 500) })),
    request_id: requestId === undefined ? null : plainText(requestId, 100),
  }
}

function refusal(problem: ApiProblem): Answer {
  return answer('refused', { problem: problemOf(problem) })
}

function unavailable(problem: ApiProblem, resume: Next): Answer {
  return answer('unavailable', { problem: problemOf(problem), next: resume })
}
