/** One application's access: its card on the account page, its facts on its own page, and the list of ended access. */

import type { OwnerOperation, OwnerSpending } from '@financial-agents/bus/messages/owner-activity'
import { amountWords } from '@financial-agents/contract/amount-words'
import { kindWords } from '@financial-agents/operation-machine/kind-words'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { day, facts, form, moment, status } from '@financial-agents/pages/parts'
import { clientNotDeclared } from '../../store/grants.ts'
import type { GrantOfOwner } from '../../store/owner-grants.ts'
import { stateWords } from '../operation-words.ts'
import { knownScopes, scopeWords } from '../scope-words.ts'
import { kindOf, party } from './client.ts'
import type { Reach } from './reach.ts'
import { dayLimit, sums } from './spending.ts'

export type GrantCard = {
  grant: GrantOfOwner
  last: OwnerOperation | undefined
  /** True if an undefined `last` means that the grant never did anything. */
  knowsLast: boolean
  reach: Reach
  hidden: Readonly<Record<string, string>>
  timezone: string
}

/** The card of the overview. `spending`: the application's sums; undefined if they cannot be read now. */
export function grantCard(card: GrantCard & { spending: readonly OwnerSpending[] | undefined }): Html {
  const { grant, reach, hidden, spending } = card
  const { client_name, profile, grant_id, policy } = grant
  const pays = grant.scopes.includes('spending:withdraw') || (spending !== undefined && spending.length > 0)
  return html`<article class="card"><div class="head"><h3>${party(client_name, kindOf(profile), grant.label)}</h3>${standing(grant, reach)}</div>
<div class="brief">${facts(grantFacts(card, 'overview'))}</div>
${spending && pays ? html`<div>${policy.ceilings.per_day ? dayLimit(grant, spending) : ''}${sums(spending)}</div>` : ''}
<div class="acts"><a href="${pathTo(pagePaths.accountApplication, { grantId: grant_id })}">Everything about it<span class="hidden">: ${foreignName(client_name)}</span></a>${limitsLink(grant)}${endForm(grant, hidden)}</div></article>`
}

/** The form that ends an access. */
export function endForm({ grant_id, client_name }: GrantOfOwner, hidden: GrantCard['hidden']): Html {
  return form({
    action: pathTo(pagePaths.accountRevoke, { grantId: grant_id }),
    hidden,
    body: html`<button type="submit" class="danger">End access<span class="hidden"> of ${foreignName(client_name)}</span></button>`,
  })
}

/** More would hide the power to move money among the others. */
const powersOnCard = 4

/** The access and its status. The overview leaves out when it began and when it ends, unless that is soon. */
export function grantFacts(
  { grant, last, knowsLast, reach, timezone }: GrantCard,
  extent: 'overview' | 'whole',
): [string, Html | string][] {
  const { expires_at, last_used_at, created_at } = grant
  const rows: [string, Html | string][] = [
    ['It may', mayWords(grant, extent === 'overview' ? powersOnCard : undefined)],
    ...(extent === 'whole'
      ? ([
          ['Since', day(created_at, timezone)],
          ['Until', expires_at ? day(expires_at, timezone) : 'You end it'],
        ] as [string, Html | string][])
      : []),
    ['Last seen', last_used_at ? moment(last_used_at, timezone) : 'Never'],
  ]
  if (grant.status === 'suspended') rows.push(['Suspended', suspensionWords(grant, timezone)])
  if (reach === 'stopped')
    rows.push(['Stopped', 'The connection that it was set up with has ended. Only the operator can set it up anew.'])
  if (reach === 'not_connected')
    rows.push(['Not connected', 'It can see and do nothing at your provider while you are not connected.'])
  if (knowsLast) rows.push(['Did last', last ? lastWords(last, timezone) : 'Changed nothing so far'])
  if (grant.status === 'revoked' || grant.status === 'expired')
    rows.push(['Ended', html`${moment(endOf(grant), timezone)}<br>${whyWords(grant)}`])
  return rows
}

export function standing(grant: GrantOfOwner, reach: Reach): Html {
  if (grant.status === 'revoked' || grant.status === 'expired') return status('neutral', 'Ended')
  if (grant.status === 'suspended' || grant.client_status === 'suspended') return status('warning', 'Suspended')
  if (reach === 'stopped') return status('warning', 'Stopped')
  return reach === 'works' ? status('good', 'Active') : status('warning', 'Not connected')
}

export function limitsLink({ grant_id, client_name, scopes, status: state }: GrantOfOwner): Html | string {
  if (state !== 'active' || !scopes.includes('spending:withdraw')) return ''
  return html`<a href="${pathTo(pagePaths.accountLimits, { grantId: grant_id })}">Change limits<span class="hidden"> of ${client_name}</span></a>`
}

/** Lists the access that ended within the last thirty days. */
export function endedGrants(ended: readonly GrantOfOwner[], timezone: string): Html | string {
  if (ended.length === 0) return ''
  const rows = ended.map(
    (grant) =>
      html`<tr><th scope="row"><a href="${pathTo(pagePaths.accountApplication, { grantId: grant.grant_id })}">${foreignName(grant.client_name)}</a></th><td>${moment(endOf(grant), timezone)}</td><td>${whyWords(grant)}</td></tr>`,
  )
  return html`<section><h2>Ended in the last 30 days</h2>
<table><thead><tr><th scope="col">Application</th><th scope="col">Ended</th><th scope="col">Why</th></tr></thead><tbody>${rows}</tbody></table></section>`
}

/** `most`: the number of powers besides moving money that are named; the others are counted. */
export function mayWords({ scopes, policy }: Pick<GrantOfOwner, 'scopes' | 'policy'>, most = Infinity): Html {
  const words = knownScopes(scopes).filter((scope) => scope !== 'openid')
  const moves = words.includes('spending:withdraw')
  // Two scopes may give the same thing.
  const others = [
    ...new Set(
      words.filter((scope) => scope !== 'spending:withdraw').flatMap((scope) => scopeWords[scope].short.split(', ')),
    ),
  ]
  return html`${moves ? html`<strong>${moneyWords(policy)}</strong>${others.length > 0 ? html`<br>` : ''}` : ''}${capital(others.slice(0, most).join(', '))}${others.length > most ? ` and ${others.length - most} more` : ''}${
    moves ? '' : html`<br><span class="soft">It cannot move money.</span>`
  }`
}

function suspensionWords(
  { status_reason, status_changed_at, suspended_why, profile }: GrantOfOwner,
  zone: string,
): Html {
  const [by, why, back] =
    status_reason === clientNotDeclared
      ? [
          'Since the application was removed from this service',
          null,
          'Should it be back here one day, it can do nothing until you allow it again.',
        ]
      : ['By the operator of this service', suspended_why, 'To allow it again, sign in through the application anew.']
  return html`${by}, ${moment(status_changed_at, zone)}${why ? html`<br>The operator’s reason: <q><bdi>${why}</bdi></q>` : ''}<br><span class="soft">It can ask for nothing for you. What it had asked for before and we have not begun to send is cancelled, except what only ends, pauses or freezes something.${profile === 'service' ? '' : ` ${back}`}</span>`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function moneyWords({ ceilings: { per_payment, per_day }, confirmation }: GrantOfOwner['policy']): string {
  const above = confirmation.find(({ action }) => action === 'transfer')?.above
  const bounds = [
    per_payment && `up to ${amountWords(per_payment.amount, per_payment.currency)} each time`,
    per_day && `up to ${amountWords(per_day.amount, per_day.currency)} a day (UTC)`,
    above && `withdrawals above ${amountWords(above.amount, above.currency)} with your confirmation`,
  ].filter((bound) => bound !== null && bound !== undefined)
  return bounds.length === 0 ? 'Move money, without a limit of yours' : `Move money, ${bounds.join(', ')}`
}

function lastWords({ kind, state, updated_at }: OwnerOperation, timezone: string): Html {
  const { tone, word } = stateWords[state]
  return html`${kindWords[kind].owner}: ${status(tone, word)}<br><span class="soft small">${moment(new Date(updated_at), timezone)}</span>`
}

function endOf({ status: state, expires_at, status_changed_at }: GrantOfOwner): Date {
  return state === 'expired' && expires_at ? expires_at : status_changed_at
}

const reasons: Readonly<Record<string, string>> = {
  revoked_by_owner: 'You ended it.',
  not_connected_again: 'You did not choose it when you connected again.',
  revoked_by_client: 'The application gave it back.',
  code_replayed: 'Ended for your safety: a sign-in code was used twice.',
  replaced: 'You allowed the application anew.',
  registration_changed: 'The application was set up anew by the operator.',
}

function whyWords({ status: state, status_reason }: GrantOfOwner): string {
  if (state === 'expired') return 'Its time was over.'
  return reasons[status_reason ?? ''] ?? 'It was ended.'
}
