/** One application's access: its card on the account page, its facts on its own page, and the list of ended access. */

import type { OwnerOperation, OwnerSpending } from '@financial-agents/bus/messages/owner-activity'
import { amountWords } from '@financial-agents/contract/amount-words'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import type { MessageKey } from '@financial-agents/pages/messages'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { facts, form, status } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { kindOf, party } from './client.ts'
import type { GrantOfOwner } from './grant-of-owner.ts'
import { clientNotRegistered, pausedByOwner } from './grant-of-owner.ts'
import { stateWordsOf } from './operation-words.ts'
import { type Payees, payeeOf } from './payees.ts'
import type { Reach } from './reach.ts'
import { knownScopes } from './scope-words.ts'
import { dayLimit, sums } from './spending.ts'

export type GrantCard = {
  grant: GrantOfOwner
  /** The address of the application's logo. */
  logo: string | undefined
  last: OwnerOperation | undefined
  /** The payees of operations, among them that of `last`. */
  payees: Payees
  /** True if an undefined `last` means that the grant never did anything. */
  knowsLast: boolean
  reach: Reach
  hidden: Readonly<Record<string, string>>
  reader: Reader
}

/** The card of the overview. `spending`: the application's sums; undefined if they cannot be read now. */
export function grantCard(card: GrantCard & { spending: readonly OwnerSpending[] | undefined }): Html {
  const { grant, logo, reach, hidden, spending, reader } = card
  const say = reader.say('grant')
  const { client_name, profile, grant_id, policy } = grant
  const pays = grant.scopes.includes('spending:withdraw') || (spending !== undefined && spending.length > 0)
  return html`<article class="card"><div class="head"><h3>${party(client_name, kindOf(profile, reader), { label: grant.label, logo })}</h3>${standing(grant, reach, reader)}</div>
<div class="brief">${facts(grantFacts(card, 'overview'))}</div>
${spending && pays ? html`<div>${policy.ceilings.per_day ? dayLimit(grant, spending, reader) : ''}${sums(spending, reader)}</div>` : ''}
<div class="acts"><a href="${pathTo(pagePaths.accountApplication, { grantId: grant_id })}">${say.rich('everything', { client: foreignName(client_name) }, hiddenElement)}</a>${limitsLink(grant, reader)}${endForms(grant, hidden, reader)}</div></article>`
}

/** The forms that pause and end an access. Only a person's access can be paused: a new sign-in allows it again. */
export function endForms(grant: GrantOfOwner, hidden: GrantCard['hidden'], reader: Reader): Html {
  const { grant_id, client_name } = grant
  const say = reader.say('grant')
  const client = foreignName(client_name)
  const pause = form({
    action: pathTo(pagePaths.accountPause, { grantId: grant_id }),
    hidden,
    body: html`<button type="submit" class="secondary">${say.rich('pause', { client }, hiddenElement)}</button>`,
  })
  return html`${mayPause(grant) ? pause : ''}${form({
    action: pathTo(pagePaths.accountRevoke, { grantId: grant_id }),
    hidden,
    body: html`<button type="submit" class="danger">${say.rich('end', { client }, hiddenElement)}</button>`,
  })}`
}

export function mayPause({ kind, status: state, client_status }: GrantOfOwner): boolean {
  return kind === 'human' && state === 'active' && client_status === 'active'
}

/** The part of a link that only screen readers read. */
export const hiddenElement = { hidden: (text: Html) => html`<span class="hidden">${text}</span>` }

/** The number of other powers that a card names. More of them would hide the power to move money. */
const powersOnCard = 4

/** The facts about an access and its status. The overview leaves out the day of its beginning and that of its end. */
export function grantFacts(
  { grant, last, payees, knowsLast, reach, reader }: Omit<GrantCard, 'logo'>,
  extent: 'overview' | 'whole',
): [string, Html | string][] {
  const say = reader.say('grant')
  const { expires_at, last_used_at, created_at } = grant
  const rows: [string, Html | string][] = [
    [say('itMay'), mayWords(grant, reader, extent === 'overview' ? powersOnCard : undefined)],
    ...(extent === 'whole'
      ? ([
          [say('since'), reader.day(created_at)],
          [say('until'), expires_at ? reader.day(expires_at) : say('youEndIt')],
        ] as [string, Html | string][])
      : []),
    [say('lastSeen'), last_used_at ? reader.timestamp(last_used_at) : say('never')],
  ]
  if (grant.status === 'suspended')
    rows.push([say(grant.status_reason === pausedByOwner ? 'paused' : 'suspended'), suspensionWords(grant, reader)])
  if (reach === 'stopped') rows.push([say('stopped'), say('stoppedWhy')])
  if (reach === 'not_connected') rows.push([say('notConnected'), say('notConnectedWhy')])
  const isOver = grant.status === 'revoked' || grant.status === 'expired'
  // The last act of an access that is over may lie before more acts of the application than are searched.
  if (last) rows.push([say('didLast'), lastWords(last, payees, reader)])
  else if (knowsLast && !isOver) rows.push([say('didLast'), say('changedNothing')])
  if (isOver) rows.push([say('ended'), html`${reader.timestamp(endOf(grant))}<br>${whyWords(grant, reader)}`])
  return rows
}

export function standing(grant: GrantOfOwner, reach: Reach, reader: Reader): Html {
  const say = reader.say('grant')
  if (grant.status === 'revoked' || grant.status === 'expired') return status('neutral', say('ended'))
  if (grant.status === 'suspended' && grant.status_reason === pausedByOwner) return status('warning', say('paused'))
  if (grant.status === 'suspended' || grant.client_status === 'suspended') return status('warning', say('suspended'))
  if (reach === 'stopped') return status('warning', say('stopped'))
  return reach === 'works' ? status('good', say('active')) : status('warning', say('notConnected'))
}

export function limitsLink(
  { grant_id, client_name, scopes, status: state }: GrantOfOwner,
  reader: Reader,
): Html | string {
  if (state !== 'active' || !scopes.includes('spending:withdraw')) return ''
  return html`<a href="${pathTo(pagePaths.accountLimits, { grantId: grant_id })}">${reader.say('grant').rich('changeLimits', { client: foreignName(client_name) }, hiddenElement)}</a>`
}

/** Lists the access that ended within the last thirty days. */
export function endedGrants(ended: readonly GrantOfOwner[], reader: Reader): Html | string {
  const say = reader.say('grant')
  if (ended.length === 0) return ''
  const rows = ended.map(
    (grant) =>
      html`<tr><th scope="row"><a href="${pathTo(pagePaths.accountApplication, { grantId: grant.grant_id })}">${foreignName(grant.client_name)}</a></th><td>${reader.timestamp(endOf(grant))}</td><td>${whyWords(grant, reader)}</td></tr>`,
  )
  return html`<section><h2>${say('endedTitle')}</h2>
<table><thead><tr><th scope="col">${say('application')}</th><th scope="col">${say('ended')}</th><th scope="col">${say('why')}</th></tr></thead><tbody>${rows}</tbody></table></section>`
}

/** `most`: the maximum number of powers that are named, besides moving money. The others are only counted. */
export function mayWords(
  { scopes, policy }: Pick<GrantOfOwner, 'scopes' | 'policy'>,
  reader: Reader,
  most = Infinity,
): Html {
  const say = reader.say('grant')
  const short = reader.say('canShort')
  const words = knownScopes(scopes).filter((scope) => scope !== 'openid')
  const moves = words.includes('spending:withdraw')
  // Two scopes may give the same thing.
  const others = [
    ...new Set(words.filter((scope) => scope !== 'spending:withdraw').flatMap((scope) => short(scope).split(/[,،] /))),
  ]
  const named = capital(others.slice(0, most).join(reader.language === 'ar' ? '، ' : ', '))
  return html`${moves ? html`<strong>${moneyWords(policy, reader)}</strong>${others.length > 0 ? html`<br>` : ''}` : ''}${
    others.length > most ? say('andMore', { powers: named, count: others.length - most }) : named
  }${moves ? '' : html`<br><span class="soft">${say('cannotMove')}</span>`}`
}

function suspensionWords(
  { status_reason, status_changed_at, suspended_for_owner, client_status, profile }: GrantOfOwner,
  reader: Reader,
): Html {
  const say = reader.say('grant')
  const wasRemoved = status_reason === clientNotRegistered
  const who = wasRemoved ? 'byRemoval' : status_reason === pausedByOwner ? 'byYou' : 'byOperator'
  const why = who === 'byOperator' ? suspended_for_owner : null
  const back = profile !== 'service' && client_status === 'suspended' ? 'backAfterRemoval' : backOf[profile]
  return html`${say.rich(who, { moment: reader.timestamp(status_changed_at) })}${why ? html`<br>${say.rich('operatorsReason', { reason: html`<q><bdi>${why}</bdi></q>` })}` : ''}<br><span class="soft">${say('suspendedMeans')} ${say(back)}</span>`
}

/** The way in which each kind of application can be allowed again. */
const backOf = {
  web: 'backAfterSuspension',
  spa: 'backAfterSuspension',
  native: 'backAfterSuspension',
  device: 'backOnDevice',
  service: 'backByOperator',
} as const satisfies { readonly [P in GrantOfOwner['profile']]: MessageKey<'grant'> }

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function moneyWords(
  { ceilings: { per_payment, per_day }, confirmation }: GrantOfOwner['policy'],
  reader: Reader,
): string {
  const say = reader.say('grant')
  const words = ({ amount, currency }: { amount: string; currency: string }) => ({
    amount: amountWords(amount, currency, reader.locale),
  })
  const above = confirmation.find(({ action }) => action === 'transfer')?.above
  const bounds = [
    per_payment && say('upToEach', words(per_payment)),
    per_day && say('upToDay', words(per_day)),
    above && say('confirmedAbove', words(above)),
  ].filter((bound) => bound !== null && bound !== undefined)
  if (bounds.length === 0) return say('moveUnlimited')
  return say('moveUpTo', { bounds: bounds.join(reader.language === 'ar' ? '، ' : ', ') })
}

function lastWords(operation: OwnerOperation, payees: Payees, reader: Reader): Html {
  const { kind, state, updated_at, payment } = operation
  const { tone, word } = stateWordsOf(state, reader)
  const payee = payeeOf(operation, payees)
  const about = [
    payment && html`<span class="amount">${amountWords(payment.amount, payment.currency, reader.locale)}</span>`,
    payee !== undefined && foreignName(payee),
  ].filter((part) => part !== null && part !== false)
  return html`${reader.say('kinds')(kind)}: ${status(tone, word)}${about.map((part) => html`<br>${part}`)}<br><span class="soft small">${reader.timestamp(new Date(updated_at))}</span>`
}

function endOf({ status: state, expires_at, status_changed_at }: GrantOfOwner): Date {
  return state === 'expired' && expires_at ? expires_at : status_changed_at
}

const reasons: ReadonlySet<string> = new Set([
  'revoked_by_owner',
  'not_connected_again',
  'revoked_by_client',
  'code_replayed',
  'replaced',
  'registration_changed',
] satisfies MessageKey<'grant'>[])

function whyWords({ status: state, status_reason }: GrantOfOwner, reader: Reader): string {
  const say = reader.say('grant')
  if (state === 'expired') return say('timeOver')
  // The messages of the reasons take no values, so the type of one of them stands for all.
  return say(status_reason !== null && reasons.has(status_reason) ? (status_reason as 'replaced') : 'wasEnded')
}
