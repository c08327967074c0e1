/** The error page for people: it says what happened, what to do, and which code and request id to give to support. */

import { html } from './html.ts'
import type { Page } from './page.ts'
import { facts } from './parts.ts'
import { englishReader, type Reader } from './reader.ts'

/** The contents of an error page. They never include anything that the request contained. */
export type ErrorFacts = {
  /** A few words that say what happened. */
  title: string
  explanation: string
  whatToDo: string
  /** An OAuth error code, or one of our problem codes. */
  code?: string | undefined
  requestId?: string | undefined
}

/** The facts are in the language of the reader already. */
export function errorPage(
  { title, explanation, whatToDo, code, requestId }: ErrorFacts,
  reader: Reader = englishReader,
): Page {
  const say = reader.say('frame')
  const known: [string, ReturnType<typeof html>][] = []
  if (code !== undefined) known.push([say('code'), html`<code>${code}</code>`])
  if (requestId !== undefined) known.push([say('request'), html`<code>${requestId}</code>`])
  return {
    reader,
    title,
    lead: explanation,
    main: html`<h2>${say('whatYouCanDo')}</h2>
<p>${whatToDo}</p>
${known.length === 0 ? '' : html`<h2>${say('ifYouAsk')}</h2>${facts(known)}`}`,
  }
}
