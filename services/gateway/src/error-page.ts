/**
 * The page for a person whose requested page is not available. It says what happened, what to do, and which request id
 * to give to support. It contains nothing else of the request.
 */

import type { Problem } from '@financial-agents/contract/problem'
import { type ProblemCode, problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { errorPage } from '@financial-agents/pages/error-page'
import type { Page } from '@financial-agents/pages/page'
import type { Reader } from '@financial-agents/pages/reader'
import { type ErrorTexts, errorWords } from './words/errors.ts'

const wordsOf: Partial<Record<ProblemCode, ErrorTexts>> = {
  rate_limited: errorWords.rateLimited,
  route_not_found: errorWords.notFound,
  method_not_allowed: errorWords.wrongMethod,
  payload_too_large: errorWords.tooLarge,
  request_timeout: errorWords.tooSlow,
}

export function errorPageOf(problem: Problem, requestId: string, reader: Reader): Page & { reader: Reader } {
  const { status } = problemCatalogue[problem.code]
  const say = reader.say(wordsOf[problem.code] ?? (status >= 500 ? errorWords.away : errorWords.malformed))
  const words = { title: say('title'), explanation: say('explanation'), whatToDo: say('whatToDo') }
  return { ...errorPage({ ...words, code: problem.code, requestId }, reader), reader }
}
