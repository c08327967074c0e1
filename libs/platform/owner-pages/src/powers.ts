/**
 * Lists of the permissions that an application gets and those it does not get. Moving money comes first and is marked.
 * Both lists are equally plain.
 */

import { type Html, html } from '@financial-agents/pages/html'
import { mark, type Tone } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { knownScopes, reachOfScopes } from './scope-words.ts'

const tones: { readonly [R in 'see' | 'change' | 'move']: Tone } = { see: 'good', change: 'good', move: 'warning' }
const weight = { move: 0, change: 1, see: 2 }

/** Lists the permissions of these scopes. `added`: the new ones, if the application already has some. */
export function powers(scopes: readonly string[], reader: Reader, added: ReadonlySet<string> = new Set()): Html {
  const say = reader.say('can')
  const sorted = knownScopes(scopes).toSorted((a, b) => weight[reachOfScopes[a]] - weight[reachOfScopes[b]])
  const lines = sorted.map((scope) => {
    const reach = reachOfScopes[scope]
    const can = say(scope)
    const isNew = added.has(scope) ? html`<strong>${reader.say('consent')('isNew')}</strong> ` : ''
    return html`<li class="${reach}">${mark(tones[reach])}<span>${isNew}${reach === 'move' ? html`<strong>${can}</strong>` : can}</span></li>`
  })
  return html`<ul class="powers">${lines}</ul>`
}

/** The powers that an application may lack. Each line names the scope that would give the power, or a power that no scope gives. */
const cannot = ['spending:withdraw', 'beneficiaries:write', 'cards:manage', 'secrets', 'others'] as const

/** Lists the permissions that these scopes do not give, and those that no scope gives. */
export function limits(scopes: readonly string[], reader: Reader): Html {
  const say = reader.say('cannot')
  const lines = cannot.filter((line) => !scopes.includes(line)).map((line) => say(line))
  return html`<ul class="powers">${lines.map((line) => html`<li>${mark('bad')}<span>${line}</span></li>`)}</ul>`
}
