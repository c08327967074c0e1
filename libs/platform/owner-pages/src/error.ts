/** The view of any error. */

import { errorPage } from '@financial-agents/pages/error-page'
import type { MessageKey } from '@financial-agents/pages/messages'
import type { Reader } from '@financial-agents/pages/reader'
import type { View } from './view.ts'

export type ErrorName = NameOf<MessageKey<'errors'>>
type NameOf<Key> = Key extends `${infer Name}.title` ? Name : never

/** The facts about an error: its name, and the codes to give to support. */
export type ErrorFacts = {
  name: ErrorName
  /** An OAuth error code, or one of our problem codes. */
  code: string
  requestId?: string | undefined
  /** 400 by default. */
  status?: number | undefined
}

export function errorView({ name, code, requestId, status = 400 }: ErrorFacts, reader: Reader): View {
  const say = reader.say('errors')
  const words = {
    title: say(`${name}.title`),
    explanation: say(`${name}.explanation`),
    whatToDo: say(`${name}.whatToDo`),
  }
  return { status, page: { ...errorPage({ ...words, code, requestId }, reader), reader } }
}
