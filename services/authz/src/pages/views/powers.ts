/**
 * Lists of the permissions that an application gets and those it does not get. Moving money comes first and is marked.
 * Both lists are equally plain.
 */

import { type Html, html } from '@financial-agents/pages/html'
import { mark, type Tone } from '@financial-agents/pages/parts'
import { knownScopes, scopeWords } from '../scope-words.ts'

const tones: { readonly [R in 'see' | 'change' | 'move']: Tone } = { see: 'good', change: 'good', move: 'warning' }
const weight = { move: 0, change: 1, see: 2 }

/** Lists the permissions of these scopes. `added`: the new ones, if the application already has some. */
export function powers(scopes: readonly string[], added: ReadonlySet<string> = new Set()): Html {
  const sorted = knownScopes(scopes).toSorted((a, b) => weight[scopeWords[a].reach] - weight[scopeWords[b].reach])
  const lines = sorted.map((scope) => {
    const { can, reach } = scopeWords[scope]
    const isNew = added.has(scope) ? html`<strong>New:</strong> ` : ''
    return html`<li class="${reach}">${mark(tones[reach])}<span>${isNew}${reach === 'move' ? html`<strong>${can}</strong>` : can}</span></li>`
  })
  return html`<ul class="powers">${lines}</ul>`
}

/** Each line with the scope that would allow it; null if no scope does. */
const limitsUnless: readonly (readonly [scope: string | null, line: string])[] = [
  ['spending:withdraw', 'Move money.'],
  ['beneficiaries:write', 'Add people or companies that you can pay.'],
  ['cards:manage', 'Create, freeze or close cards.'],
  [null, 'See card numbers, your identity documents, or how you sign in at your provider.'],
  [null, 'Allow other applications anything.'],
]
export const limitWords: readonly string[] = limitsUnless.map(([, line]) => line)

/** Lists the permissions that these scopes do not give, and those that no scope gives. */
export function limits(scopes: readonly string[]): Html {
  const lines = limitsUnless.filter(([scope]) => scope === null || !scopes.includes(scope)).map(([, line]) => line)
  return html`<ul class="powers">${lines.map((line) => html`<li>${mark('bad')}<span>${line}</span></li>`)}</ul>`
}
