/**
 * The page for a person whose requested page is not available. It says what happened, what to do, and which request id
 * to give to support. It contains nothing else of the request.
 */

import type { Problem } from '@financial-agents/contract/problem'
import { type ProblemCode, problemCatalogue } from '@financial-agents/contract/problem-catalogue'
import { errorPage } from '@financial-agents/pages/error-page'
import type { MessageKey } from '@financial-agents/pages/messages'
import type { Page } from '@financial-agents/pages/page'
import type { Reader } from '@financial-agents/pages/reader'

type NameOf<Key> = Key extends `${infer Name}.title` ? Name : never

const names: Partial<Record<ProblemCode, NameOf<MessageKey<'gatewayErrors'>>>> = {
  rate_limited: 'rateLimited',
  route_not_found: 'notFound',
  method_not_allowed: 'wrongMethod',
  payload_too_large: 'tooLarge',
  request_timeout: 'tooSlow',
}

export function errorPageOf(problem: Problem, requestId: string, reader: Reader): Page & { reader: Reader } {
  const { status } = problemCatalogue[problem.code]
  const name = names[problem.code] ?? (status >= 500 ? 'away' : 'malformed')
  const say = reader.say('gatewayErrors')
  const words = {
    title: say(`${name}.title`),
    explanation: say(`${name}.explanation`),
    whatToDo: say(`${name}.whatToDo`),
  }
  return { ...errorPage({ ...words, code: problem.code, requestId }, reader), reader }
}
