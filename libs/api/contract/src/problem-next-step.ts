/** Names the next step after a problem. The pages of problems and the documentation say it in the same words. */

import { type ProblemCode, problemCatalogue } from './problem-catalogue.ts'

/** The key of the sentence, in the messages of `codes`. */
export function nextStepOf(code: ProblemCode) {
  const { status, retryable, submission_uncertain } = problemCatalogue[code]
  if (submission_uncertain) return 'lookForOperation'
  if (code === 'use_dpop_nonce') return 'newNonce'
  if (retryable) return 'waitAndRepeat'
  if (status >= 500) return 'lookFirst'
  if (status === 401) return 'authenticate'
  if (status === 403) return 'allowFirst'
  if (status === 404) return 'lookInList'
  if (status === 409) return 'readAgain'
  return 'correctIt'
}
