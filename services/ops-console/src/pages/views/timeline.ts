/** The moves of an operation, oldest first, each with its evidence. */

import { type FailureCode, failureCodes } from '@financial-agents/contract/failure-codes'
import type { OperatorOperationDetail } from '@financial-agents/contract/schemas/operator'
import { type Html, html } from '@financial-agents/pages/html'
import { mark } from '@financial-agents/pages/parts'
import { duration, exactly } from '@financial-agents/pages/times'
import { failureCode } from '../links.ts'
import { moverWords, moveWords, resultWords, stateWords } from '../words.ts'

type Entry = OperatorOperationDetail['history'][number]

export function timeline({ history, publicUrl }: { history: readonly Entry[]; publicUrl: string }): Html {
  const items = history.map((entry, index) => {
    const { sequence, from, to, by, at, reason, evidence } = entry
    const { what, meaning } = moveWords(from, to)
    const after = history[index + 1]
    return html`<li data-key="${sequence}">${mark(stateWords[to].tone)}
<h3>${what}</h3>
<p class="soft small">${exactly(new Date(at))} · by ${moverWords[by]} · <code>${to}</code></p>
<p>${meaning}</p>${reason === null ? '' : html`<p>${because(reason, publicUrl)}</p>`}${
      evidence ? validatedBy(evidence) : ''
    }${after ? html`<p class="waited">It stayed so for ${waited(at, after.at)}.</p>` : ''}</li>`
  })
  return html`<ol class="timeline">${items}</ol>`
}

function because(reason: string, publicUrl: string): Html {
  return Object.hasOwn(failureCodes, reason)
    ? html`Because: ${failureCode(reason as FailureCode, publicUrl)}. ${failureCodes[reason as FailureCode]}`
    : html`Because: ${reason}`
}

function validatedBy({ read, result, observed_at, digest }: NonNullable<Entry['evidence']>): Html {
  return html`<div class="quote"><p>The read <code>${read}</code> ${resultWords[result] ?? 'answered'} (<code>${result}</code>) at ${exactly(new Date(observed_at))}.</p>
<p class="soft small">SHA-256 of the whole answer, which is not kept: <span class="id">${digest}</span></p></div>`
}

function waited(from: string, to: string): string {
  return duration(Math.max(0, Date.parse(to) - Date.parse(from)))
}
