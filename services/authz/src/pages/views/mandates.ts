/** What applications may pay again and again without asking: whom, how much is left of each bound, and until when. */

import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { day, facts, moment, status, type Tone } from '@financial-agents/pages/parts'
import { money } from './money.ts'

export type MandateList = {
  mandates: readonly OwnerMandate[]
  /** Of applications, by their ids. */
  names: ReadonlyMap<string, string>
  timezone: string
}

type Words = { tone: Tone; word: string; more?: string; over?: true }

const stateWords: { readonly [S in OwnerMandate['state']]: Words } = {
  pending: { tone: 'neutral', word: 'Being set up', more: 'Nothing can be paid yet.' },
  active: { tone: 'good', word: 'In force' },
  suspending: { tone: 'warning', word: 'Being paused', more: 'Nothing more is sent.' },
  suspended: { tone: 'warning', word: 'Paused', more: 'Nothing is paid.' },
  revoking: { tone: 'warning', word: 'Being ended', more: 'Nothing more is sent.' },
  revocation_failed: {
    tone: 'bad',
    word: 'Could not be ended',
    more: 'Your provider did not end it. We send nothing for it; the application can ask again to end it.',
  },
  exhausted: { tone: 'neutral', word: 'Used up', more: 'Nothing can be paid unless a payment fails and comes back.' },
  revoked: { tone: 'neutral', word: 'Ended', over: true },
  expired: { tone: 'neutral', word: 'Its time is over', over: true },
  failed: { tone: 'neutral', word: 'Never came into force', over: true },
}

function isOver(state: OwnerMandate['state']): boolean {
  return stateWords[state].over === true
}

const paying: ReadonlySet<OwnerMandate['state']> = new Set(['pending', 'active', 'exhausted'])

/** Payments can be made under it, now or once it is set up or a payment comes back. */
export function mayPay(state: OwnerMandate['state']): boolean {
  return paying.has(state)
}

export function mandateSection({ mandates, names, timezone }: MandateList): Html {
  const live = mandates.filter(({ state }) => !isOver(state))
  const over = mandates.filter(({ state }) => isOver(state))
  return html`<div class="stack">${
    live.length === 0
      ? html`<p class="soft">No application can make repeated payments for you. When you confirm some, they appear here.</p>`
      : html`<p class="soft">Applications make these payments without asking you each time. What is still under way counts as paid. To end all that an application can pay, end its access.</p>
${live.map((mandate) => card(mandate, names, timezone))}`
  }${over.length === 0 ? '' : ended(over, timezone)}</div>`
}

function card(mandate: OwnerMandate, names: ReadonlyMap<string, string>, timezone: string): Html {
  const { beneficiary_name, state, currency, remaining, payment_count, expires_at, authorized_clients } = mandate
  const { tone, word, more } = stateWords[state]
  const left = (part: string, cap: string) =>
    html`<strong>${money(part, currency)}</strong> left of ${money(cap, currency)}`
  const nameOf = (client: string) => foreignName(names.get(client) ?? client)
  return html`<article class="card"><div class="head"><h3>To ${foreignName(beneficiary_name)}</h3>${status(tone, word)}</div>
${more ? html`<p class="soft small">${more}</p>` : ''}
${facts([
  ['Asked for by', nameOf(mandate.client_id)],
  ['Paid by', html`${authorized_clients.map((client) => html`<div>${nameOf(client)}</div>`)}`],
  ['Each time', html`At most ${money(mandate.per_payment_max, currency)}`],
  ['Today', left(remaining.daily, mandate.daily_max)],
  ['This week', left(remaining.weekly, mandate.weekly_max)],
  ['This month', left(remaining.monthly, mandate.monthly_max)],
  ['In all', left(remaining.total, mandate.total_cap)],
  ['Payments', html`<strong>${remaining.payments}</strong> left of ${payment_count}`],
  ['Until', moment(new Date(expires_at), timezone)],
])}
<p class="soft small">Days, weeks from Monday, and months begin at midnight UTC.</p></article>`
}

function ended(mandates: readonly OwnerMandate[], timezone: string): Html {
  const rows = mandates.map(
    ({ beneficiary_name, state, created_at }) =>
      html`<tr><th scope="row">${foreignName(beneficiary_name)}</th><td>${day(new Date(created_at), timezone)}</td><td>${stateWords[state].word}</td></tr>`,
  )
  return html`<details><summary>Those that are over (${mandates.length})</summary>
<table><thead><tr><th scope="col">To</th><th scope="col">Set up</th><th scope="col">What became of them</th></tr></thead><tbody>${rows}</tbody></table></details>`
}
