/**
 * The mandates under which applications may pay repeatedly without asking: the beneficiary, the rest of each bound, and
 * the end. An application can pay now only if it has an active grant with authority under the mandate. Without one,
 * nothing is paid, whatever the mandate's state.
 */

import type { OwnerOperation } from '@financial-agents/bus/messages/owner-activity'
import { type OwnerMandate, ownerMandatesOver, payableStates } from '@financial-agents/bus/messages/resources'
import { amountWords } from '@financial-agents/contract/amount-words'
import { windowsAt } from '@financial-agents/contract/cap-windows'
import { addDecimals, compareDecimals, subtractDecimals } from '@financial-agents/contract/decimals'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { hasMessage } from '@financial-agents/pages/messages'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { facts, status, type Tone } from '@financial-agents/pages/parts'
import { share } from '@financial-agents/pages/plot'
import type { Reader } from '@financial-agents/pages/reader'
import { hiddenElement } from './grant.ts'

export type MandateList = {
  mandates: readonly OwnerMandate[]
  /** The ids of grants that are active now. */
  activeGrants: ReadonlySet<string>
  /** The active grants that may pay and whose connection works. */
  payingGrants: ReadonlySet<string>
  /** The names of applications by their ids. */
  names: ReadonlyMap<string, string>
  /** The owner's operations without an outcome. Undefined if not all of them are known now. */
  underWay: readonly OwnerOperation[] | undefined
  now: Date
  reader: Reader
}

type State = OwnerMandate['state']

const tones: { readonly [S in State | 'stopped']: Tone } = {
  pending: 'neutral',
  active: 'good',
  suspending: 'warning',
  suspended: 'warning',
  revoking: 'warning',
  revocation_failed: 'bad',
  exhausted: 'neutral',
  revoked: 'neutral',
  expired: 'neutral',
  failed: 'neutral',
  stopped: 'neutral',
}

const over: ReadonlySet<State> = new Set(['revoked', 'expired', 'failed'])

function moreOf(state: State | 'stopped', reader: Reader): string | undefined {
  if (!hasMessage('mandateStatesMore', state)) return undefined
  return reader.say('mandateStatesMore')(state)
}

function windowsNote(reader: Reader): Html {
  return html`<p class="soft small">${reader.say('mandates')('windows')}</p>`
}

export function mandateSection({ mandates, ...list }: MandateList): Html {
  const say = list.reader.say('mandates')
  const live = mandates.filter(({ state }) => !over.has(state))
  const past = mandates.filter(({ state }) => over.has(state))
  return html`<div class="stack">${
    live.length === 0
      ? html`<p class="soft">${say('none')}</p>`
      : html`<p class="soft">${say('about')}</p>
${live.map((mandate) => mandateCard(mandate, list))}`
  }${past.length === 0 ? '' : ended(past, list.reader)}</div>`
}

/** The cards of running mandates, and the list of those that are over. */
export function mandateCards(mandates: readonly OwnerMandate[], list: Omit<MandateList, 'mandates'>): Html {
  if (mandates.length === 0) return html`<p class="soft">${list.reader.say('mandates')('thereAreNone')}</p>`
  const live = mandates.filter(({ state }) => !over.has(state))
  const past = mandates.filter(({ state }) => over.has(state))
  return html`<div class="stack">${live.map((mandate) => mandateCard(mandate, list))}${live.length === 0 ? '' : windowsNote(list.reader)}${past.length === 0 ? '' : ended(past, list.reader)}</div>`
}

/** One mandate: the card of the overview, or with everything about it. */
export function mandateCard(
  mandate: OwnerMandate,
  list: Omit<MandateList, 'mandates'>,
  extent: 'overview' | 'whole' = 'overview',
): Html {
  const { beneficiary_name, state, authorized_clients, client_id } = mandate
  const { reader } = list
  const say = reader.say('mandates')
  const nameOf = (client: string) => foreignName(list.names.get(client) ?? client)
  const namesOf = (clients: readonly string[]) => html`${clients.map((client) => html`<div>${nameOf(client)}</div>`)}`
  const payers = mandate.authorities.filter(({ grant_id }) => list.activeGrants.has(grant_id))
  const isStopped = payers.length === 0 && payableStates.has(state)
  const shown = isStopped ? 'stopped' : state
  const more = moreOf(shown, reader)
  const paying = state === 'active' ? payers.filter(({ grant_id }) => list.payingGrants.has(grant_id)) : []
  const payingClients = [...new Set(paying.map((payer) => payer.client_id))]
  const title = say.rich('to', { payee: foreignName(beneficiary_name) })
  const held = underWayUnder(mandate, list.underWay, list.now)
  return html`<article class="card"><div class="head">${extent === 'whole' ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}${status(tones[shown], reader.say('mandateStates')(shown))}</div>
${more ? html`<p class="soft small">${more}</p>` : ''}
<div class="brief">${facts([
    ...(extent === 'whole'
      ? ([
          [say('askedBy'), nameOf(client_id)],
          [say('named'), namesOf(authorized_clients)],
        ] as [string, Html][])
      : []),
    [say('canPayNow'), payingClients.length === 0 ? say('nobody') : namesOf(payingClients)],
    ...bounds(mandate, reader, held),
  ])}</div>
${held ? '' : html`<p class="soft small">${say('underWayUnknown')}</p>`}
<div class="acts">${
    extent === 'overview'
      ? html`<a href="${pathTo(pagePaths.accountMandate, { mandateId: mandate.id })}">${say.rich('pauseOrEnd', { payee: foreignName(beneficiary_name) }, hiddenElement)}</a>`
      : ''
  }<a href="${pagePaths.accountActivity}?mandate=${mandate.id}">${say.rich('itsPayments', { payee: foreignName(beneficiary_name) }, hiddenElement)}</a></div>${extent === 'whole' ? windowsNote(reader) : ''}</article>`
}

/** The part of each limit that payments without an outcome hold. Undefined where it is not known now. */
type UnderWay = OwnerMandate['remaining'] | undefined

function underWayUnder(mandate: OwnerMandate, operations: readonly OwnerOperation[] | undefined, now: Date): UnderWay {
  if (!operations) return undefined
  const payments = operations.flatMap(({ payment, created_at }) =>
    payment?.mandate_id === mandate.id ? [{ amount: payment.amount, at: windowsAt(new Date(created_at)) }] : [],
  )
  const current = windowsAt(now)
  const sumIn = (window: keyof typeof current) =>
    addDecimals(payments.filter(({ at }) => at[window] === current[window]).map(({ amount }) => amount))
  const held = {
    daily: sumIn('day'),
    weekly: sumIn('week'),
    monthly: sumIn('month'),
    total: addDecimals(payments.map(({ amount }) => amount)),
    payments: payments.length,
  }
  // Operations and beneficiaries answered at different moments. If the parts exceed the whole, nothing can be split.
  const { remaining, payment_count } = mandate
  const fits =
    caps.every(([, part, cap]) => compareDecimals(addDecimals([remaining[part], held[part]]), mandate[cap]) <= 0) &&
    remaining.payments + held.payments <= payment_count
  return fits ? held : undefined
}

const caps = [
  ['today', 'daily', 'daily_max'],
  ['thisWeek', 'weekly', 'weekly_max'],
  ['thisMonth', 'monthly', 'monthly_max'],
  ['inAll', 'total', 'total_cap'],
] as const

/**
 * Lists every bound with its rest, the part that is spent, and the part that is under way. Without `underWay`, the two
 * parts are shown as one.
 */
export function bounds(mandate: OwnerMandate, reader: Reader, underWay?: UnderWay): [string, Html][] {
  const say = reader.say('mandates')
  const { currency, remaining, payment_count, expires_at } = mandate
  const words = (amount: string) => amountWords(amount, currency, reader.locale)
  const below = (text: string) => html`<br><span class="soft small">${text}</span>`
  const ofAmount = (left: string, cap: string, pending: string | undefined) => {
    const used = subtractDecimals(cap, left)
    const parts =
      pending === undefined
        ? say('spentOrUnderWay', { amount: words(used) })
        : say('spentAndUnderWay', { spent: words(subtractDecimals(used, pending)), pending: words(pending) })
    const bar = share(Number(used), Number(cap), pending === undefined ? 'unknown' : Number(pending))
    return html`${say.rich('left', { part: words(left), whole: words(cap) })}${below(parts)}${bar}`
  }
  const made = payment_count - remaining.payments
  const ofPayments = underWay
    ? say('madeAndUnderWay', { made: made - underWay.payments, pending: underWay.payments })
    : say('madeOrUnderWay', { count: made })
  return [
    [say('eachTime'), html`${say('atMost', { amount: words(mandate.per_payment_max) })}`],
    ...caps.map(([label, part, cap]): [string, Html] => [
      say(label),
      ofAmount(remaining[part], mandate[cap], underWay?.[part]),
    ]),
    [
      say('payments'),
      html`${say.rich('left', { part: remaining.payments, whole: payment_count })}${below(ofPayments)}`,
    ],
    [say('until'), reader.timestamp(new Date(expires_at))],
  ]
}

function ended(mandates: readonly OwnerMandate[], reader: Reader): Html {
  const say = reader.say('mandates')
  const count = mandates.length
  const rows = mandates.map(
    ({ beneficiary_name, state, created_at }) =>
      html`<tr><th scope="row">${foreignName(beneficiary_name)}</th><td>${reader.day(new Date(created_at))}</td><td>${reader.say('mandateStates')(state)}</td></tr>`,
  )
  return html`<details><summary>${say(count < ownerMandatesOver ? 'over' : 'lastOver', { count })}</summary>
<table><thead><tr><th scope="col">${say('toColumn')}</th><th scope="col">${say('setUp')}</th><th scope="col">${say('became')}</th></tr></thead><tbody>${rows}</tbody></table></details>`
}
