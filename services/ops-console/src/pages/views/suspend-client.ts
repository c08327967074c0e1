/** The page before all grants of a client are suspended: how many, what stops and what does not, and whose confirmation it takes. */

import type { OperatorGrant } from '@financial-agents/contract/schemas/operator'
import { type Html, html } from '@financial-agents/pages/html'
import type { Page } from '@financial-agents/pages/page'
import { button, form, notice } from '@financial-agents/pages/parts'
import texts from '../../../messages/en.json' with { type: 'json' }
import { grantsPath, operationsPath, suspendClientPath } from '../links.ts'
import type { AskedSuspension, RefusedReasons } from '../suspension-reasons.ts'
import { backWords, reasonFields } from './suspension.ts'
import { ways } from './ways.ts'

export type ClientSuspension = {
  client: OperatorGrant['client']
  /** The active grants that were counted. `more`: there are others. */
  active: number
  more: boolean
  inFlight: number
  byTwo: boolean
  hidden: Readonly<Record<string, string>>
  /** The request of an operator, which another one confirms. */
  asked: AskedSuspension | undefined
  /** True if the link was not valid, or not valid any more. */
  isStale: boolean
  /** True if the operator who looks is the one who asked. */
  isOwn: boolean
  refused: RefusedReasons | undefined
  /** The result of the form that was sent; undefined before. */
  done: { suspended: number; unconfirmed: number } | undefined
}

export function suspendClientView(facts: ClientSuspension): Page {
  const { client, active, more, inFlight, refused, done } = facts
  const count = more ? `${active} or more` : String(active)
  return {
    title: done ? `Grants of ${client.name}` : `Suspend every grant of ${client.name}?`,
    lead: backWords[client.profile],
    wide: true,
    navigation: ways('grants'),
    refused: refused !== undefined,
    notice: done ? result(done, count, active) : stale(facts.isStale),
    main: html`<p>${client.name} (<span class="id">${client.id}</span>) has <strong><a href="${grantsPath({ client_id: client.id, status: 'active' })}">${count} active ${active === 1 ? 'grant' : 'grants'}</a></strong>, with <a href="${operationsPath({ client_id: client.id })}">${inFlight} ${inFlight === 1 ? 'operation' : 'operations'} in flight</a>.</p>
<h2>What stops</h2><ul><li>${texts.suspendClient.stopsRequests}</li><li>${texts.suspendClient.cancelsAccepted}</li>
<li>${texts.suspendClient.cancelsWaiting}</li></ul>
<h2>What does not stop</h2><ul><li>${texts.suspendClient.sentGoesOn}</li>
<li>${
      client.profile === 'service'
        ? texts.suspendClient.newServiceGrant
        : html`A new grant that an owner gives ${client.name} afterwards. ${texts.suspendClient.refuseNewGrants}`
    }</li></ul>
${active === 0 ? html`<p class="none">${texts.suspendClient.none}</p>` : action(facts)}
<p class="pages"><a href="${grantsPath({ client_id: client.id })}">All grants of ${client.name}</a></p>`,
  }
}

function stale(isStale: boolean): Html | undefined {
  return isStale
    ? notice('warning', html`<strong>${texts.suspendClient.stale}</strong> ${texts.suspendClient.staleMore}`)
    : undefined
}

function result(
  { suspended, unconfirmed }: { suspended: number; unconfirmed: number },
  count: string,
  left: number,
): Html {
  const words = `${suspended} suspended, ${unconfirmed} not confirmed yet, ${count} active.`
  if (left > 0 || unconfirmed > 0)
    return notice('warning', html`<strong>${texts.suspendClient.notAll}</strong> ${words} ${texts.suspendClient.goOn}`)
  return notice('good', html`<strong>${texts.suspendClient.all}</strong> ${words} ${texts.suspendClient.ownersSee}`)
}

function action({ client, byTwo, hidden, asked, isOwn, refused, done }: ClientSuspension): Html {
  const to = suspendClientPath(client.id)
  if (asked && isOwn)
    return html`<h2>A second person confirms</h2><p>${texts.suspendClient.giveColleague}</p><p>Reason: ${asked.reason}</p>${forOwner(asked)}`
  if (asked)
    return html`<h2>Confirm</h2><p><span class="id">${asked.by}</span> asks for it, at ${asked.at}: ${asked.reason}</p>${forOwner(asked)}${form({ action: to, hidden, body: html`<div class="actions">${button('danger', 'Suspend every grant')}<a class="button secondary" href="${grantsPath({ client_id: client.id })}">Leave them as they are</a></div>` })}`
  if (done) return form({ action: to, hidden, body: html`<div class="actions">${button('danger', 'Go on')}</div>` })
  return form({
    action: to,
    hidden,
    body: html`<h2>Why</h2>${reasonFields(refused, 300, byTwo ? ` ${texts.suspendClient.secondPerson}` : '')}<div class="actions">${button('danger', byTwo ? 'Ask a second person' : 'Suspend every grant')}<a class="button secondary" href="${grantsPath({ client_id: client.id })}">Leave them as they are</a></div>`,
  })
}

function forOwner({ reason_for_owner }: AskedSuspension): Html | string {
  return reason_for_owner === undefined ? '' : html`<p>Reason for the owner: ${reason_for_owner}</p>`
}
