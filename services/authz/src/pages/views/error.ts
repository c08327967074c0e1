/** The view of any error. */

import { errorPage } from '@financial-agents/pages/error-page'
import type { Reader } from '@financial-agents/pages/reader'
import type { ErrorTexts } from '../words/errors.ts'
import type { View } from './view.ts'

/** The facts about an error: the messages, and the codes to give to support. */
export type ErrorFacts = {
  texts: ErrorTexts
  /** An OAuth error code, or one of our problem codes. */
  code: string
  requestId?: string | undefined
  /** 400 by default. */
  status?: number | undefined
}

export function errorView({ texts, code, requestId, status = 400 }: ErrorFacts, reader: Reader): View {
  const say = reader.say(texts)
  const words = { title: say('title'), explanation: say('explanation'), whatToDo: say('whatToDo') }
  return { status, page: { ...errorPage({ ...words, code, requestId }, reader), reader } }
}
