/** Anything that cannot go on: what happened, and what the reader can do about it. */

import { html } from '@financial-agents/pages/html'
import { facts } from '@financial-agents/pages/parts'
import type { View } from './view.ts'

export type ErrorFacts = {
  /** What happened, in a few words. */
  title: string
  explanation: string
  whatToDo: string
  /** A code of OAuth or of ours, for whoever is asked for help. */
  code?: string | undefined
  requestId?: string | undefined
  status?: number
}

export function errorPage({ title, explanation, whatToDo, code, requestId, status = 400 }: ErrorFacts): View {
  const known: [string, ReturnType<typeof html>][] = []
  if (code !== undefined) known.push(['Code', html`<code>${code}</code>`])
  if (requestId !== undefined) known.push(['Request', html`<code>${requestId}</code>`])
  return {
    status,
    page: {
      title,
      lead: explanation,
      main: html`<h2>What you can do</h2>
<p>${whatToDo}</p>
${known.length === 0 ? '' : html`<h2>If you ask for help</h2>${facts(known)}`}`,
    },
  }
}
