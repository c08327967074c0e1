/**
 * The mandates under which applications may pay repeatedly without asking: the beneficiary, the rest of each bound, and
 * the end. An application can pay now only if it has an active grant with authority under the mandate. Without one,
 * nothing is paid, whatever the mandate's state.
 */

import { type OwnerMandate, ownerMandatesOver, payableStates } from '@financial-agents/bus/messages/resources'
import { amountWords } from '@financial-agents/contract/amount-words'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { day, facts, moment, status, type Tone } from '@financial-agents/pages/parts'
import { share } from '@financial-agents/pages/plot'

export type MandateList = {
  mandates: readonly OwnerMandate[]
  /** The ids of grants that are active now. */
  activeGrants: ReadonlySet<string>
  /** The active grants that may pay and whose connection works. */
  payingGrants: ReadonlySet<string>
  /** The names of applications by their ids. */
  names: ReadonlyMap<string, string>
  timezone: string
}

type Words = { tone: Tone; word: string; more?: string; over?: true }

const ending = 'No application can ask for another payment. What was accepted before may still be sent.'

const stateWords: { readonly [S in OwnerMandate['state']]: Words } = {
  pending: { tone: 'neutral', word: 'Being set up', more: 'Nothing can be paid yet.' },
  active: { tone: 'good', word: 'In force' },
  suspending: { tone: 'warning', word: 'Being paused', more: ending },
  suspended: { tone: 'warning', word: 'Paused', more: 'Nothing more is sent. It cannot go on again.' },
  revoking: { tone: 'warning', word: 'Being ended', more: ending },
  revocation_failed: {
    tone: 'bad',
    word: 'Could not be ended',
    more: 'The request to end it failed. No application can ask for another payment; those named in it, and you, can ask again to end it.',
  },
  exhausted: {
    tone: 'neutral',
    word: 'Used up',
    more: 'No application can ask for another payment, unless one that is under way fails.',
  },
  revoked: { tone: 'neutral', word: 'Ended', over: true },
  expired: { tone: 'neutral', word: 'Its time is over', over: true },
  failed: { tone: 'neutral', word: 'Never came into force', over: true },
}

const windowWords = 'Days, weeks from Monday, and months begin at midnight UTC.'
const windowsNote = html`<p class="soft small">${windowWords}</p>`

const stopped: Words = {
  tone: 'neutral',
  word: 'Stopped',
  more: 'No application can ask for a payment: none has the access now for which you confirmed it. When you allow one that is named in it to move money again, you are asked whether this may go on. A service of the operator goes on by itself when the operator sets it up again.',
}

export function mandateSection({ mandates, ...list }: MandateList): Html {
  const live = mandates.filter(({ state }) => !stateWords[state].over)
  const over = mandates.filter(({ state }) => stateWords[state].over)
  return html`<div class="stack">${
    live.length === 0
      ? html`<p class="soft">No application can make repeated payments for you. When you confirm some, they appear here.</p>`
      : html`<p class="soft">Applications make these payments without asking you each time. What is still under way counts as paid. ${windowWords} To end all that an application can pay, end its access: it starts none of these after that, even if you allow it again, unless you say so then.</p>
${live.map((mandate) => mandateCard(mandate, list))}`
  }${over.length === 0 ? '' : ended(over, list.timezone)}</div>`
}

/** The cards of running mandates, and the list of those that are over. */
export function mandateCards(mandates: readonly OwnerMandate[], list: Omit<MandateList, 'mandates'>): Html {
  if (mandates.length === 0) return html`<p class="soft">There are none.</p>`
  const live = mandates.filter(({ state }) => !stateWords[state].over)
  const over = mandates.filter(({ state }) => stateWords[state].over)
  return html`<div class="stack">${live.map((mandate) => mandateCard(mandate, list))}${live.length === 0 ? '' : windowsNote}${over.length === 0 ? '' : ended(over, list.timezone)}</div>`
}

/** One mandate: the card of the overview, or with everything about it. */
export function mandateCard(
  mandate: OwnerMandate,
  list: Omit<MandateList, 'mandates'>,
  extent: 'overview' | 'whole' = 'overview',
): Html {
  const { beneficiary_name, state, authorized_clients, client_id } = mandate
  const nameOf = (client: string) => foreignName(list.names.get(client) ?? client)
  const namesOf = (clients: readonly string[]) => html`${clients.map((client) => html`<div>${nameOf(client)}</div>`)}`
  const payers = mandate.authorities.filter(({ grant_id }) => list.activeGrants.has(grant_id))
  const isStopped = payers.length === 0 && payableStates.has(state)
  const { tone, word, more } = isStopped ? stopped : stateWords[state]
  const paying = state === 'active' ? payers.filter(({ grant_id }) => list.payingGrants.has(grant_id)) : []
  const payingClients = [...new Set(paying.map((payer) => payer.client_id))]
  const title = html`To ${foreignName(beneficiary_name)}`
  return html`<article class="card"><div class="head">${extent === 'whole' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}${status(tone, word)}</div>
${more ? html`<p class="soft small">${more}</p>` : ''}
<div class="brief">${facts([
    ...(extent === 'whole'
      ? ([
          ['Asked for by', nameOf(client_id)],
          ['Named in it', namesOf(authorized_clients)],
        ] as [string, Html][])
      : []),
    ['Can pay now', payingClients.length === 0 ? 'Nobody' : namesOf(payingClients)],
    ...bounds(mandate, list.timezone),
  ])}</div>
<div class="acts">${
    extent === 'overview'
      ? html`<a href="${pathTo(pagePaths.accountMandate, { mandateId: mandate.id })}">Pause or end<span class="hidden"> payments to ${foreignName(beneficiary_name)}</span></a>`
      : ''
  }<a href="${pagePaths.accountActivity}?mandate=${mandate.id}">Its payments<span class="hidden"> to ${foreignName(beneficiary_name)}</span></a></div>${extent === 'whole' ? windowsNote : ''}</article>`
}

/** Lists every bound and the rest of it. */
export function bounds(mandate: OwnerMandate, timezone: string | undefined): [string, Html][] {
  const { currency, remaining, payment_count, expires_at } = mandate
  const left = (part: string, cap: string) =>
    html`<strong>${amountWords(part, currency)}</strong> left of ${amountWords(cap, currency)}${share(Number(cap) - Number(part), Number(cap))}`
  return [
    ['Each time', html`At most ${amountWords(mandate.per_payment_max, currency)}`],
    ['Today', left(remaining.daily, mandate.daily_max)],
    ['This week', left(remaining.weekly, mandate.weekly_max)],
    ['This month', left(remaining.monthly, mandate.monthly_max)],
    ['In all', left(remaining.total, mandate.total_cap)],
    ['Payments', html`<strong>${remaining.payments}</strong> left of ${payment_count}`],
    ['Until', moment(new Date(expires_at), timezone)],
  ]
}

function ended(mandates: readonly OwnerMandate[], timezone: string): Html {
  const rows = mandates.map(
    ({ beneficiary_name, state, created_at }) =>
      html`<tr><th scope="row">${foreignName(beneficiary_name)}</th><td>${day(new Date(created_at), timezone)}</td><td>${stateWords[state].word}</td></tr>`,
  )
  return html`<details><summary>Those that are over (${mandates.length < ownerMandatesOver ? '' : 'the last '}${mandates.length})</summary>
<table><thead><tr><th scope="col">To</th><th scope="col">Set up</th><th scope="col">What became of them</th></tr></thead><tbody>${rows}</tbody></table></details>`
}
