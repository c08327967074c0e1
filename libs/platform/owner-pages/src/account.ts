/** The view of the account page: a section for each kind of thing that the owner can see and end. */

import type { Binding, OwnerClient } from '@financial-agents/bus/messages/authority'
import type { OwnerActivity, OwnerSpending } from '@financial-agents/bus/messages/owner-activity'
import type { OwnerMandate } from '@financial-agents/bus/messages/resources'
import { amountWords } from '@financial-agents/contract/amount-words'
import { accountPageClient } from '@financial-agents/contract/principal'
import { foreignName } from '@financial-agents/pages/foreign-name'
import { type Html, html } from '@financial-agents/pages/html'
import { pagePaths, pathTo } from '@financial-agents/pages/page-paths'
import { facts, notice, status } from '@financial-agents/pages/parts'
import type { Reader } from '@financial-agents/pages/reader'
import { type Face, hasPictures } from './client.ts'
import { endedGrants, grantCard } from './grant.ts'
import type { GrantOfOwner } from './grant-of-owner.ts'
import { headerEnd } from './header.ts'
import { mandateSection } from './mandates.ts'
import { operationWordsOf } from './operation-words.ts'
import { type Payees, payeeOf, underWayOf } from './payees.ts'
import { activeIds, payingIds, reachOf } from './reach.ts'
import { sumsNote } from './spending.ts'
import type { View } from './view.ts'

export type AccountPage = {
  ownerName: string | null
  reader: Reader
  /** Includes ended grants. */
  grants: readonly GrantOfOwner[]
  /** The faces of the applications, by client id. */
  faces: ReadonlyMap<string, Face>
  /** Undefined if it cannot be read now. */
  activity: OwnerActivity | undefined
  /** The payees of the operations under way, and of the latest ones. */
  payees: Payees
  /** Undefined if it cannot be read now. */
  spending: readonly OwnerSpending[] | undefined
  /** Null if there is none; undefined if it cannot be read now. */
  binding: Binding | null | undefined
  /** Undefined if they cannot be read now. */
  mandates: readonly OwnerMandate[] | undefined
  /** The applications that mandates name. */
  clientNames: readonly OwnerClient[]
  now: Date
  hidden: Readonly<Record<string, string>>
  message: Html | undefined
}

export function accountView(data: AccountPage): View {
  const { ownerName, reader, grants, faces, activity, binding, mandates, hidden, message } = data
  const say = reader.say('account')
  const live = grants.filter((grant) => grant.status === 'active' || grant.status === 'suspended')
  const ended = grants.filter((grant) => grant.status === 'revoked' || grant.status === 'expired')
  const names = new Map([
    [accountPageClient, reader.say('activity')('you')],
    ...data.clientNames.map(({ client_id, name }) => [client_id, name] as const),
    ...grants.map(({ client_id, label, client_name }) => [client_id, label ?? client_name] as const),
  ])
  const activeGrants = activeIds(grants)
  const payingGrants = payingIds(grants, binding)
  const latest = new Map(activity?.latest.map((operation) => [operation.grant_id, operation]))
  return {
    rights: { forms: true, pictures: hasPictures(faces.values()) },
    page: {
      reader,
      title: say('title'),
      lead: ownerName ? say.rich('signedInAs', { name: html`<bdi>${ownerName}</bdi>` }) : say('signedIn'),
      wide: true,
      notice: message,
      headerEnd: headerEnd(hidden, reader),
      main: html`${activity ? '' : notice('warning', say('activityUnknown'))}
<section><h2>${say('whoCanAct')}</h2>
${
  live.length === 0
    ? html`<p class="soft">${say('nobody')}</p>`
    : html`<div class="stack">${live.map((grant) =>
        grantCard({
          grant,
          logo: faces.get(grant.client_id)?.logo,
          last: latest.get(grant.grant_id),
          payees: data.payees,
          knowsLast: activity !== undefined,
          reach: reachOf(grant, binding),
          spending: data.spending?.filter(({ client_id }) => client_id === grant.client_id),
          hidden,
          reader,
        }),
      )}</div>${data.spending && data.spending.length > 0 ? html`<p class="soft small">${sumsNote(reader)}</p>` : ''}`
}</section>
<section><h2>${say('repeated')}</h2>${mandates ? mandateSection({ mandates, activeGrants, payingGrants, names, underWay: underWayOf(activity), now: data.now, reader }) : notice('warning', say('mandatesUnknown'))}</section>
${activity ? inFlight(activity, names, data) : ''}
<section><h2>${say('connection')}</h2>${connection(binding, reader)}</section>
${endedGrants(ended, reader)}`,
    },
  }
}

function inFlight(
  { in_flight, counts }: OwnerActivity,
  names: ReadonlyMap<string, string>,
  { payees, reader }: AccountPage,
): Html {
  const say = reader.say('account')
  if (in_flight.length === 0)
    return html`<section><h2>${say('underWay')}</h2><p class="soft">${say('nothingUnderWay')}</p></section>`
  const rows = in_flight.map((operation) => {
    const { operation_id, kind, client_id, created_at, payment } = operation
    const { tone, word, more } = operationWordsOf(operation, reader)
    const payee = payeeOf(operation, payees)
    return html`<tr><th scope="row"><a href="${pathTo(pagePaths.accountOperation, { operationId: operation_id })}">${reader.say('kinds')(kind)}</a>${
      payment
        ? html`<br><span class="amount">${amountWords(payment.amount, payment.currency, reader.locale)}</span>`
        : ''
    }${payee === undefined ? '' : html`<br>${foreignName(payee)}`}</th><td>${foreignName(names.get(client_id) ?? client_id)}</td><td>${reader.timestamp(new Date(created_at))}</td><td>${status(tone, word)}${more ? html`<p class="soft small">${more}</p>` : ''}</td></tr>`
  })
  const table = (shown: Html[]) =>
    html`<table><thead><tr><th scope="col">${say('what')}</th><th scope="col">${say('askedBy')}</th><th scope="col">${say('since')}</th><th scope="col">${say('howFar')}</th></tr></thead><tbody>${shown}</tbody></table>`
  const more = Math.max(counts.in_flight, rows.length) - mostUnderWay
  const all = html`<p><a href="${pagePaths.accountActivity}">${reader.say('activity')('all')}</a></p>`
  return html`<section><h2>${say('underWay')}</h2>${table(rows.slice(0, mostUnderWay))}${
    more > 0
      ? html`<details><summary>${say('moreUnderWay', { count: more })}</summary>${table(rows.slice(mostUnderWay))}${more > rows.length - mostUnderWay ? all : ''}</details>`
      : ''
  }</section>`
}

/** The number of operations under way that are shown at once. */
const mostUnderWay = 5

function connection(binding: Binding | null | undefined, reader: Reader): Html {
  const say = reader.say('account')
  if (binding === undefined) return notice('warning', say('connectionUnknown'))
  if (binding === null)
    return html`<p class="soft">${say('notConnected')}</p>
<p><a class="button primary" href="${pagePaths.accountConnect}">${say('connect')}</a></p>`
  const { provider_name, connected_at } = binding
  const ending = binding.status === 'disconnecting'
  return html`<div class="card">${facts([
    [say('provider'), html`<strong><bdi>${provider_name}</bdi></strong>`],
    [say('status'), ending ? status('warning', say('beingEnded')) : status('good', say('connected'))],
    [say('since'), reader.day(new Date(connected_at))],
  ])}${ending ? html`<p class="soft">${say('endingMeans')}</p>` : html`<p><a class="button danger" href="${pagePaths.accountDisconnect}">${say('disconnect')}</a></p>`}</div>`
}
