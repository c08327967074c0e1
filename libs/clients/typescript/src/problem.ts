/** The API's refusals (contract, "Errors"): one class, told apart by `code`. */

import type { ProblemCode, ProblemField } from './generated/types.ts'
import type { ProblemMembers } from './own-answer.ts'

/**
 * A refusal of the API, named by `code`. New codes may come, so a `switch` needs a `default`.
 *
 * `submissionUncertain` true means that a write may have been accepted: repeat it with the same intent, never with a
 * new one.
 */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  /** The stable code, or `http_<status>` if something between the client and the API answered. */
  readonly code: ProblemCode
  /** The HTTP status. */
  readonly status: number
  /** The class of problem in a few words. */
  readonly title: string
  /** The error of this request, in words for people. */
  readonly detail: string
  /** The refused members with what to send instead; empty if the problem is not about members. */
  readonly fields: readonly ProblemField[]
  /** `X-Request-Id`: name it to support. */
  readonly requestId: string | undefined
  /** True if repeating the identical request can safely succeed. The client has repeated it already. */
  readonly retryable: boolean
  /** True if a write may have landed. */
  readonly submissionUncertain: boolean
  /** True if the failure says that the owner's onboarding changed: read `agent.onboarding.get()`. */
  readonly refreshOnboarding: boolean
  /** False if something between the client and the API answered. */
  readonly fromApi: boolean

  /** @param own the API's problem details, if the answer is the API's own */
  constructor(response: Pick<Response, 'status' | 'headers'>, own: ProblemMembers | undefined) {
    const {
      code = `http_${response.status}`,
      detail = `HTTP ${response.status}: this is not an answer of the API, but of something in between.`,
      title = '',
      fields,
      request_id = response.headers.get('x-request-id') ?? undefined,
      retryable = false,
      submission_uncertain = false,
      refresh_onboarding = false,
    }: Partial<ProblemMembers> = own ?? {}
    const more = (fields ?? []).filter(({ message }) => !detail.includes(message))
    super([`${code}: ${detail}`, ...more.map(({ path, message }) => `${path}: ${message}`)].join(' '))
    this.code = code
    this.status = response.status
    this.title = title
    this.detail = detail
    this.fields = fields ?? []
    this.requestId = request_id
    this.retryable = retryable
    this.submissionUncertain = submission_uncertain
    this.refreshOnboarding = refresh_onboarding
    this.fromApi = own !== undefined
  }
}
