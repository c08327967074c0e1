/** The number of operations in each state. Each number links to its list. */

import { isTerminal, type OperationState, operationStates, terminalStates } from '@financial-agents/contract/machine'
import { type Html, html } from '@financial-agents/pages/html'
import { status } from '@financial-agents/pages/parts'
import { operationsPath } from '../links.ts'
import { stateWords } from '../words.ts'

export type StateTiles = {
  now: Date

  counts: Readonly<Partial<Record<OperationState, number>>>
  /** The other filters of the list. The links keep them. */
  query?: Readonly<Record<string, string>>
}

const dayMs = 86_400_000

export function stateTiles({ counts, now, query = {} }: StateTiles): Html {
  const { cursor: _place, ended_from: _from, ended_until: _until, ...filters } = query
  const ended_from = new Date(now.getTime() - dayMs).toISOString()
  const tile = (state: OperationState) => {
    const { tone, word } = stateWords[state]
    const count = counts[state] ?? 0
    const current = query['state'] === state ? html` aria-current="true"` : ''
    // An empty state gets a neutral tone.
    const shown = status(count === 0 ? 'neutral' : tone, word)
    return html`<li data-key="${state}"><a href="${operationsPath(isTerminal(state) ? { ...filters, state, ended_from } : { ...filters, state })}"${current}>${shown}<span class="number">${count}</span></a></li>`
  }
  return html`<p class="soft small">In flight</p>
<ul class="tiles">${operationStates.filter((state) => !isTerminal(state)).map(tile)}</ul>
<p class="soft small">Ended in the last 24 hours</p>
<ul class="tiles">${terminalStates.map(tile)}</ul>`
}
