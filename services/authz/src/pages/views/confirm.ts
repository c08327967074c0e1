/**
 * One request of an application as a table of facts, which the owner confirms or declines; and the view of a decided
 * request.
 */

import type { OwnerFact, OwnerIntent } from '@financial-agents/bus/messages/intents'
import { kindWords } from '@financial-agents/operation-machine/kind-words'
import { foreignValue } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths } from '@financial-agents/pages/page-paths'
import { button, facts, form, moment, notice, type Tone } from '@financial-agents/pages/parts'
import { party } from './client.ts'
import type { View } from './view.ts'

/** Each action as a request to the owner. */
export const actionWords: { readonly [A in OwnerIntent['action']]: string } = {
  mandate_create: kindWords.mandate_create.owner,
  mandate_revoke: kindWords.mandate_revoke.owner,
  service_disconnect: 'End the connection to your provider',
  transfer: kindWords.transfer.owner,
}

export function confirmView(data: {
  clientName: string
  intent: OwnerIntent
  /** The owner's IANA time zone. */
  timezone: string | undefined
  action: string
  hidden: Readonly<Record<string, string>>
}): View {
  const { clientName, intent, timezone, action, hidden } = data
  return {
    rights: { forms: true },
    page: {
      title: `${actionWords[intent.action]}?`,
      main: html`<div class="card stack">${party(clientName, 'asks you to confirm')}
<p class="summary">${intent.opening}</p>
${facts([
  ...rowsOf(intent, timezone),
  ['Asked', moment(new Date(intent.created_at), timezone)],
  ['Decide before', moment(new Date(intent.expires_at), timezone)],
])}</div>
<p class="soft">Confirm only what you expect. It allows exactly this, once. If you decline, nothing happens.</p>
${form({
  action,
  hidden,
  body: html`<div class="actions">${button('primary', 'Confirm', 'confirm')}${button('secondary', 'Decline', 'decline')}</div>`,
})}`,
    },
  }
}

/** Returns one row for all facts with the same label. */
function rowsOf({ facts }: OwnerIntent, timezone: string | undefined): [string, Html][] {
  const byLabel = Map.groupBy(facts, ({ label }) => label)
  return [...byLabel].map(([label, same]) => [
    label,
    html`${same.map((one) => html`<div>${valueOf(one, timezone)}</div>`)}`,
  ])
}

function valueOf({ value, foreign, at }: OwnerFact, timezone: string | undefined): Html | string {
  if (at !== undefined) return moment(new Date(at), timezone)
  return foreign ? foreignValue(value) : value
}

const outcomes: { readonly [S in Exclude<OwnerIntent['status'], 'pending'>]: readonly [Tone, string, string] } = {
  confirmed: ['good', 'Confirmed', 'The application can now ask for exactly this, once.'],
  declined: ['neutral', 'Declined', 'Nothing happens. The application hears that you declined.'],
  consumed: [
    'good',
    'Confirmed and used',
    'The application has asked for what you confirmed. It cannot ask for it again with this.',
  ],
  expired: [
    'warning',
    'Too late',
    'The time to decide is over and nothing happens. The application can ask you again.',
  ],
}

/** The actions after which the provider may ask for the owner's approval. */
const maySendOn: ReadonlySet<OwnerIntent['action']> = new Set(['mandate_create', 'transfer'])

/** `waited`: the browser has waited for the application long enough, so that the page does not wait again by itself. */
export function decidedView(data: {
  clientName: string
  intent: OwnerIntent
  timezone: string | undefined
  next: string
  waited: boolean
}): View {
  const { clientName, intent, timezone, next, waited } = data
  const isWaiting = intent.status === 'confirmed' && maySendOn.has(intent.action)
  const [tone, title, explanation] = outcomes[intent.status === 'pending' ? 'expired' : intent.status]
  return {
    page: {
      title,
      refreshTo: isWaiting && !waited ? next : undefined,
      notice: notice(tone, explanation),
      main: html`<div class="card stack">${party(clientName, actionWords[intent.action])}<p class="summary">${intent.opening}</p>${facts(rowsOf(intent, timezone))}</div>
${
  isWaiting
    ? html`<p>If your provider wants your approval too, you are taken there once the application has asked for this.</p>
<p><a class="button secondary" href="${next}">Go on</a></p>`
    : ''
}
<p>You can close this page, or look at <a href="${pagePaths.account}">your account</a>.</p>`,
    },
  }
}
