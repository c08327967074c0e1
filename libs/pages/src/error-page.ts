/** The error page for people: it says what happened, what to do, and which code and request id to give to support. */

import { html } from './html.ts'
import type { Page } from './page.ts'
import { facts } from './parts.ts'

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

/** Builds the error page. */
export function errorPage({ title, explanation, whatToDo, code, requestId }: ErrorFacts): Page {
  const known: [string, ReturnType<typeof html>][] = []
  if (code !== undefined) known.push(['Code', html`<code>${code}</code>`])
  if (requestId !== undefined) known.push(['Request', html`<code>${requestId}</code>`])
  return {
    title,
    lead: explanation,
    main: html`<h2>What you can do</h2>
<p>${whatToDo}</p>
${known.length === 0 ? '' : html`<h2>If you ask for help</h2>${facts(known)}`}`,
  }
}
