/** The view of the account page: a section for each kind of thing that the owner can see and end. */

import type { Binding, OwnerClient } from '@financial-agents/bus/messages/authority'
import type { OwnerActivity, OwnerSpending } from '@financial-agents/bus/messages/owner-activity'
import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { amountWords } from '@financial-agents/contract/amount-words'
import { accountPageClient } from '@financial-agents/contract/principal'
import { kindWords } from '@financial-agents/operation-machine/kind-words'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { day, facts, moment, notice, status } from '@financial-agents/pages/parts'
import type { GrantOfOwner } from '../../store/owner-grants.ts'
import { stateWords } from '../operation-words.ts'
import { type Payees, payeeOf } from '../owner-activity.ts'
import { endedGrants, grantCard } from './grant.ts'
import { headerEnd } from './header.ts'
import { mandateSection } from './mandates.ts'
import { activeIds, payingIds, reachOf } from './reach.ts'
import { sumsNote } from './spending.ts'
import type { View } from './view.ts'

export type AccountPage = {
  ownerName: string | null
  /** The owner's IANA time zone. */
  timezone: string
  /** Includes ended grants. */
  grants: readonly GrantOfOwner[]
  /** Undefined if it cannot be read now. */
  activity: OwnerActivity | undefined
  /** The payees of the operations under way. */
  payees: Payees
  /** Undefined if it cannot be read now. */
  spending: readonly OwnerSpending[] | undefined
  /** Null if there is none; undefined if it cannot be read now. */
  binding: Binding | null | undefined
  /** Undefined if they cannot be read now. */
  mandates: readonly OwnerMandate[] | undefined
  /** The applications that mandates name. */
  clientNames: readonly OwnerClient[]
  hidden: Readonly<Record<string, string>>
  message: Html | undefined
}

export function accountView(data: AccountPage): View {
  const { ownerName, timezone, grants, activity, binding, mandates, hidden, message } = data
  const live = grants.filter((grant) => grant.status === 'active' || grant.status === 'suspended')
  const ended = grants.filter((grant) => grant.status === 'revoked' || grant.status === 'expired')
  const names = new Map([
    [accountPageClient, 'You, on this page'],
    ...data.clientNames.map(({ client_id, name }) => [client_id, name] as const),
    ...grants.map(({ client_id, label, client_name }) => [client_id, label ?? client_name] as const),
  ])
  const activeGrants = activeIds(grants)
  const payingGrants = payingIds(grants, binding)
  const latest = new Map(activity?.latest.map((operation) => [operation.grant_id, operation]))
  return {
    rights: { forms: true },
    page: {
      title: 'Your account',
      lead: ownerName ? html`Signed in as <strong>${ownerName}</strong>` : 'You are signed in.',
      wide: true,
      notice: message,
      headerEnd: headerEnd(hidden),
      main: html`${activity ? '' : unknown('What applications did last, and what is under way,')}
<section><h2>Who can act for you</h2>
${
  live.length === 0
    ? html`<p class="soft">No application can do anything for you. When you allow one, it appears here.</p>`
    : html`<div class="stack">${live.map((grant) =>
        grantCard({
          grant,
          last: latest.get(grant.grant_id),
          knowsLast: activity !== undefined,
          reach: reachOf(grant, binding),
          spending: data.spending?.filter(({ client_id }) => client_id === grant.client_id),
          hidden,
          timezone,
        }),
      )}</div>${data.spending && data.spending.length > 0 ? html`<p class="soft small">${sumsNote}</p>` : ''}`
}</section>
<section><h2>Repeated payments</h2>${mandates ? mandateSection({ mandates, activeGrants, payingGrants, names, timezone }) : unknown('Repeated payments')}</section>
${activity ? inFlight(activity, names, data) : ''}
<section><h2>Connection to your provider</h2>${connection(binding, timezone)}</section>
${endedGrants(ended, timezone)}`,
    },
  }
}

function inFlight(
  { in_flight }: OwnerActivity,
  names: ReadonlyMap<string, string>,
  { payees, timezone }: AccountPage,
): Html {
  if (in_flight.length === 0)
    return html`<section><h2>Under way</h2><p class="soft">Nothing is under way.</p></section>`
  const rows = in_flight.map((operation) => {
    const { operation_id, kind, state, client_id, created_at, payment } = operation
    const { tone, word, more } = stateWords[state]
    const payee = payeeOf(operation, payees)
    return html`<tr><th scope="row"><a href="${pathTo(pagePaths.accountOperation, { operationId: operation_id })}">${kindWords[kind].owner}</a>${
      payment ? html`<br><span class="amount">${amountWords(payment.amount, payment.currency)}</span>` : ''
    }${payee === undefined ? '' : html`<br>${foreignName(payee)}`}</th><td>${foreignName(names.get(client_id) ?? client_id)}</td><td>${moment(new Date(created_at), timezone)}</td><td>${status(tone, word)}${more ? html`<p class="soft small">${more}</p>` : ''}</td></tr>`
  })
  return html`<section><h2>Under way</h2>
<table><thead><tr><th scope="col">What</th><th scope="col">Asked for by</th><th scope="col">Since</th><th scope="col">How far it is</th></tr></thead><tbody>${rows}</tbody></table></section>`
}

function connection(binding: Binding | null | undefined, timezone: string): Html {
  if (binding === undefined) return unknown('Your connection')
  if (binding === null)
    return html`<p class="soft">You are not connected to a provider. No application can see or do anything there for you until you connect.</p>
<p><a class="button primary" href="${pagePaths.accountConnect}">Connect…</a></p>`
  const { provider_name, connected_at } = binding
  const ending = binding.status === 'disconnecting'
  return html`<div class="card">${facts([
    ['Provider', html`<strong>${provider_name}</strong>`],
    ['Status', ending ? status('warning', 'Being ended') : status('good', 'Connected')],
    ['Since', day(new Date(connected_at), timezone)],
  ])}${ending ? html`<p class="soft">No application can ask for anything through it any more. Follow its end under “Under way”.</p>` : html`<p><a class="button danger" href="${pagePaths.accountDisconnect}">Disconnect…</a></p>`}</div>`
}

function unknown(what: string): Html {
  return notice(
    'warning',
    `${what} cannot be shown now. Reload this page in a minute. Ending access works all the same.`,
  )
}
