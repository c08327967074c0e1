/** Anything that cannot go on, told to a person: what happened, what to do about it, and what to name to whoever helps. */

import { html } from './html.ts'
import type { Page } from './page.ts'
import { facts } from './parts.ts'

/** What an error page says. Nothing of what was sent belongs into it. */
export type ErrorFacts = {
  /** What happened, in a few words. */
  title: string
  explanation: string
  whatToDo: string
  /** A code of OAuth or of ours. */
  code?: string | undefined
  requestId?: string | undefined
}

/** The page that says it. */
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
